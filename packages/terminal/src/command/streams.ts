import type { Readable, Writable } from 'node:stream';

/** Streams of the process that a command uses. Tests pass their own. */
export interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
}
