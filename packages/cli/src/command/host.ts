import type { Streams } from '@zonewright/terminal';

/** Parts of the process that a command uses. Tests pass their own. */
export interface Host extends Streams {
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
  /** Host name. New keys are named after it. */
  readonly hostname: string;
  readonly home: string;
}
