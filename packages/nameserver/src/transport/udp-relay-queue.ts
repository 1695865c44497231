/** So many wait for the main thread; each is a message of 64 KiB at most. */
const MAX_WAITING = 256;
const WAITING = 0;

/**
 * How many messages for others a worker has handed to the main thread that it has not seen yet, in memory of both: the channel between
 * them has no bound of its own, and whoever sends datagrams is faster than whoever reads them.
 */
export class RelayQueue {
  readonly #counts: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  static create(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether there is room for one more, which is taken then. */
  enter(): boolean {
    if (Atomics.load(this.#counts, WAITING) >= MAX_WAITING) return false;
    Atomics.add(this.#counts, WAITING, 1);
    return true;
  }

  /** The main thread has seen one. */
  leave(): void {
    Atomics.sub(this.#counts, WAITING, 1);
  }
}
