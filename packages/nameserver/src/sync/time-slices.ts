import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../image/steps.js';

/** Long enough to get work done, short enough that a query that arrives meanwhile does not notice. */
const SLICE_MS = 4;

/** Cuts long work in the main thread into slices, between which queries are answered. */
export class TimeSlices {
  readonly #onSlice: () => void;
  #sliceEnd = performance.now() + SLICE_MS;

  /** `onSlice` is called with each slice; work ends when it throws. */
  constructor(onSlice: () => void = () => undefined) {
    this.#onSlice = onSlice;
  }

  async pauseIfDue(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await setImmediate();
    // After the pause, in which the work may have been given up.
    this.#onSlice();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }

  async run<T>(steps: Steps<T>): Promise<T> {
    try {
      for (;;) {
        const { done, value } = steps.next();
        if (done === true) return value;
        await this.pauseIfDue();
      }
    } finally {
      // Work that was broken off gives back what it holds.
      (steps as Generator<void, T | undefined>).return(undefined);
    }
  }
}
