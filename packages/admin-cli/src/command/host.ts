import type { Streams } from '@zonewright/terminal';
import type { CommandAudit } from './command-audit.js';

/** What a command line needs of the process that it runs in; tests give their own. */
export interface Host extends Streams {
  /** Of the one command that is run. */
  readonly audit?: CommandAudit;
}
