import type { Clock, Logger } from '@zonewright/service-kit';

/** A query that triggers a fault often comes again; one line tells as much as a thousand. */
const BURST_MS = 60_000;

/** Logs programming errors that became SERVFAIL: the first of a burst, and how many there were since the last line. */
export class FaultLog {
  readonly #log: Logger;
  readonly #clock: Clock;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;
  /** All faults since the start. */
  count = 0;

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  report(fault: unknown): void {
    this.count++;
    this.#unlogged++;
    const now = this.#clock.now();
    if (now - this.#loggedAt < BURST_MS) return;
    this.#loggedAt = now;
    this.#log.error({ err: fault, faults: this.#unlogged }, 'a query met a fault: SERVFAIL');
    this.#unlogged = 0;
  }
}
