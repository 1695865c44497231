import type { Streams } from '@zonewright/terminal';

/** What the command needs of the process that it runs in; tests give their own. */
export interface Host extends Streams {
  /** Ends with Ctrl-C. */
  readonly signal: AbortSignal;
  /** Of the machine: keys that it makes are named after it. */
  readonly hostname: string;
  readonly home: string;
}
