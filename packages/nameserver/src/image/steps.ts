import { setImmediate } from 'node:timers/promises';

/**
 * Work that can be interrupted: it yields after each part that takes a fraction of a millisecond. The caller then
 * continues or pauses (TimeSlices), and calls `return()` to abandon it.
 */
export type Interruptible<T> = Generator<void, T>;

/** Number of nodes or records after which a loop yields. */
export const NODES_PER_YIELD = 512;

/** Number of octets that are copied in a fraction of a millisecond. */
const COPY_OCTETS = 1_048_576;

/** Copies all of `from` to offset `start` of `to`. */
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

/** Duration of a slice: long enough for progress, and too short to delay a query noticeably. */
const SLICE_MS = 4;

/** Splits long work of the main thread into slices, between which queries are answered. */
export class TimeSlices {
  readonly #onSlice: () => void;
  #sliceEnd = performance.now() + SLICE_MS;

  /** @param onSlice called with each slice; if it throws, the work ends */
  constructor(onSlice: () => void = () => undefined) {
    this.#onSlice = onSlice;
  }

  async pauseIfDue(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await setImmediate();
    // The work may have been abandoned during the pause.
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
      // Abandoned work releases its resources.
      (steps as Generator<void, T | undefined>).return(undefined);
    }
  }
}
