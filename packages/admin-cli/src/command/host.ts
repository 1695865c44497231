import type { Readable, Writable } from 'node:stream';

import type { CommandAudit } from './command-audit.js';

/** What a command line needs of the process that it runs in; tests give their own. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Of the one command that is run. */
  readonly audit?: CommandAudit;
}
