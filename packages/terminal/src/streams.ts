import type { Readable, Writable } from 'node:stream';

/** Streams of the process that a command uses. Tests pass their own. */
export interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
}

/** Exit codes of all commands. The README of each command documents them. */
export const EXIT = {
  ok: 0,
  /** Any other failure. */
  failed: 1,
  /** The command line, its input or a setting is wrong, and the user can correct it. */
  usage: 2,
  notFound: 3,
  conflict: 4,
  /** A service is not available. Try again later. */
  unavailable: 5,
} as const;

/** Invalid input on the command line or at a prompt. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Replaces control characters, since stored text must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}
