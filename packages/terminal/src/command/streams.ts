import type { Readable, Writable } from 'node:stream';

/** What a command line needs of the process that it runs in; tests give their own. */
export interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable & { readonly isTTY?: boolean | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean | undefined };
}
