import type { Streams } from '@zonewright/terminal';
import type { CommandAudit } from './command-audit.js';

/** Parts of the process that a command line uses; tests pass their own. */
export interface Host extends Streams {
  /** Audit of the running command. */
  readonly audit?: CommandAudit;
}
