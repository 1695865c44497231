/**
 * Work that can be interrupted: it yields after each part that takes a fraction of a millisecond. The caller decides
 * what happens then (TimeSlices), and ends the work with `return()` if it is not to go on.
 */
export type Steps<T> = Generator<void, T>;

/** For loops over nodes or records: yield each time so many are done. */
export const NODES_A_STEP = 512;

/** Octets that are copied in a fraction of a millisecond. */
const COPY_OCTETS = 1_048_576;

/** Copies all of `from`, to where `start` is in `to`. */
export function* copyOctets(from: Uint8Array, to: Uint8Array, start: number): Steps<void> {
  for (let at = 0; at < from.length; at += COPY_OCTETS) {
    if (at > 0) yield;
    to.set(from.subarray(at, at + COPY_OCTETS), start + at);
  }
}

export function runToEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
