import type { Clock } from '@zonewright/service-kit';

/** A query that triggers a fault often comes again; one line tells as much as a thousand. */
const BURST_MS = 60_000;

/** Told of the first fault of a burst, and how many there were since it was told last. */
export type WriteFault = (fault: unknown, faults: number) => void;

/** Programming errors that became SERVFAIL: writes the first of a burst. */
export class FaultLog {
  readonly #write: WriteFault;
  readonly #clock: Clock;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #unwritten = 0;

  constructor(write: WriteFault, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  report(fault: unknown): void {
    this.#unwritten++;
    const now = this.#clock.now();
    if (now - this.#writtenAt < BURST_MS) return;
    this.#writtenAt = now;
    this.#write(fault, this.#unwritten);
    this.#unwritten = 0;
  }
}
