import { setImmediate } from 'node:timers/promises';

/** Long enough to get work done, short enough that a query that arrives meanwhile does not notice. */
const SLICE_MS = 5;

/** Cuts long work in the main thread into slices, between which queries are answered. */
export class TimeSlices {
  #sliceEnd = performance.now() + SLICE_MS;

  async pauseIfDue(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await setImmediate();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}
