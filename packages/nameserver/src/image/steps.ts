import { setImmediate } from 'node:timers/promises';

/**
 * Work that can be interrupted: it yields after each part that takes a fraction of a millisecond. The caller decides
 * what happens then (TimeSlices), and ends the work with `return()` if it is not to go on.
 */
export type Interruptible<T> = Generator<void, T>;

/** For loops over nodes or records: yield each time so many are done. */
export const NODES_PER_YIELD = 512;

/** Octets that are copied in a fraction of a millisecond. */
const COPY_OCTETS = 1_048_576;

/** Copies all of `from`, to where `start` is in `to`. */
export function* copyOctets(from: Uint8Array, to: Uint8Array, start: number): Interruptible<void> {
  for (let at = 0; at < from.length; at += COPY_OCTETS) {
    if (at > 0) yield;
    to.set(from.subarray(at, at + COPY_OCTETS), start + at);
  }
}

export function runToEnd<T>(steps: Interruptible<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

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

  async run<T>(steps: Interruptible<T>): Promise<T> {
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
