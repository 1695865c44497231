import { commandsOf } from '@zonewright/terminal';
import type { Command } from 'commander';

export const PROGRAM = 'zonewright';

const { command, group } = commandsOf(PROGRAM);

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly profile?: string;
  readonly envFile?: string;
}

/** A leaf of the tree. An example is written as it is typed, without the name of the program. */
export function userCommand(name: string, summary: string, ...examples: string[]): Command {
  return command(name, summary, ...examples)
    .option('-q, --quiet', 'say nothing but what was asked for, and errors')
    .option('--profile <name>', 'as whom: a profile of `zonewright login`')
    .option('--env-file <file>', 'as whom: a file with ZONEWRIGHT_* variables');
}

/** A leaf that changes something. */
export function writeCommand(name: string, summary: string, ...examples: string[]): Command {
  return userCommand(name, summary, ...examples)
    .option('--no-wait', 'do not wait until the nameservers answer with it')
    .option('--note <text>', 'why, for `history`');
}

export const commandGroup = group;
