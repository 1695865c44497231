import { readFileSync } from 'node:fs';
import { decodeFile } from '@zonewright/client';
import {
  promptLine,
  CommandEnd,
  EXIT as COMMON,
  InputError,
  type Streams,
} from '@zonewright/terminal';

/** Parts of the process that a command uses. Tests pass their own. */
export interface Host extends Streams {
  /** Aborted when the user presses Ctrl-C. */
  readonly signal: AbortSignal;
  /** Host name. New keys are named after it. */
  readonly hostname: string;
  readonly home: string;
}

/** Asks for confirmation at the terminal. Without one, `--yes` is required. @throws InputError, CommandEnd */
export async function confirm(
  host: Host,
  { yes }: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (yes === true) return;
  if (host.stdin.isTTY !== true) throw new InputError(`${question} To confirm, add --yes.`);
  const answer = await promptLine(host, `${question} (yes/no)`, '--yes');
  if (/^y(es)?$/i.test(answer.trim())) return;
  host.stderr.write('Nothing was changed.\n');
  throw new CommandEnd(EXIT.failed);
}

/** Reads a file of the user. `-` is standard input. @throws InputError */
export async function readFileOrStdin(host: Host, file: string): Promise<string> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
    return decodeFile(Buffer.concat(chunks));
  }
  try {
    return decodeFile(readFileSync(file));
  } catch (error) {
    throw new InputError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`);
  }
}

/**
 * Returns the signs before lines. They have colours at a terminal unless NO_COLOR (https://no-color.org) is set, and
 * elsewhere with FORCE_COLOR.
 */
export function marksFor({ env, stdout }: Host) {
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0';
  const hasColours =
    !env['NO_COLOR'] && (isForced || (stdout.isTTY === true && env['TERM'] !== 'dumb'));
  const mark = (sign: string, colour: number) =>
    hasColours ? `\u001b[${colour}m${sign}\u001b[0m` : sign;
  return {
    good: mark('✔', 32),
    bad: mark('✘', 31),
    warning: mark('!', 33),
    added: mark('+', 32),
    changed: mark('~', 33),
    removed: mark('-', 31),
  };
}

/** Exit codes. docs/reference/cli.md documents them. */
export const EXIT = {
  ...COMMON,
  /** The user is not logged in, or not authorized. */
  refused: 6,
  /** The change is made, but some running nameservers do not answer with it yet. */
  notPublished: 7,
  /** No error, and the command would make changes. */
  pending: 8,
  /** 128 plus the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;
