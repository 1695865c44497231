import { commandsOf, parseWords } from '@zonewright/terminal';
import { type Command, Option } from 'commander';

export const PROGRAM = 'zonewright';

const { command, group } = commandsOf(PROGRAM);

/** Options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly jsonl?: boolean;
  readonly debug?: boolean;
  readonly curl?: boolean;
  /** Columns to show. Lists only. */
  readonly columns?: readonly string[];
  readonly template?: string;
  readonly quiet?: boolean;
  readonly profile?: string;
  readonly envFile?: string;
}

/** Creates a leaf of the tree. Examples omit the name of the program. */
export function accountCommand(name: string, summary: string, ...examples: string[]): Command {
  return command(name, summary, ...examples)
    .addOption(
      new Option('--jsonl', 'print JSON, one line for each document or row').conflicts('json'),
    )
    .addOption(
      new Option(
        '--template <text>',
        'print this text for each document or row; members of --json in braces, such as "{{name}} {{id}}"',
      ).conflicts(['json', 'jsonl', 'columns']),
    )
    .option('-q, --quiet', 'print only results and errors')
    .option('--profile <name>', 'use this profile of `zonewright login`')
    .option('--env-file <file>', 'use the credentials in this file (ZONEWRIGHT_* variables)')
    .option('--debug', 'print requests and response statuses, without secrets');
}

/** Creates a leaf command that reads or changes something as the logged-in user. */
export function userCommand(name: string, summary: string, ...examples: string[]): Command {
  return accountCommand(name, summary, ...examples).option(
    '--curl',
    'print the requests as curl commands and change nothing',
  );
}

/** Creates a leaf command that lists rows of one kind. */
export function listCommand(name: string, summary: string, ...examples: string[]): Command {
  return withColumns(userCommand(name, summary, ...examples));
}

export function withColumns(list: Command): Command {
  return list.option(
    '--columns <names>',
    'columns to print, in this order, such as name,id; also for --json',
    parseWords,
  );
}

/** Creates a leaf command that changes something. */
export function writeCommand(name: string, summary: string, ...examples: string[]): Command {
  return userCommand(name, summary, ...examples)
    .option('--no-wait', 'do not wait until the nameservers have published the change')
    .option('--note <text>', 'reason for the change, shown by `history`');
}

export const commandGroup = group;
