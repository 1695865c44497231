import { isIpv4 } from '../transport/source-address.js';

/** Messages that wait for the main thread. Each has 64 KiB at most. */
const MAX_WAITING = 256;
/** Most of the networks that share one count. */
const MAX_OF_NETWORKS = 64;
/** Networks are spread over so many counts. */
const COUNTS = 64;
const ALL = COUNTS;

/**
 * Counts of the messages for others that a worker has handed to the main thread and that it has not seen yet, in memory of both. The channel
 * between them has no bound of its own, and whoever sends datagrams is faster than whoever reads them. A network that floods leaves
 * room for others.
 */
export class RelayQueue {
  readonly #counts: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  static create(): SharedArrayBuffer {
    return new SharedArrayBuffer((COUNTS + 1) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Takes room for a message from an address of sixteen octets. Returns false if there is none. */
  enter(source: Uint8Array): boolean {
    const network = countOf(source);
    const isFull =
      Atomics.load(this.#counts, ALL) >= MAX_WAITING ||
      Atomics.load(this.#counts, network) >= MAX_OF_NETWORKS;
    if (isFull) return false;
    Atomics.add(this.#counts, ALL, 1);
    Atomics.add(this.#counts, network, 1);
    return true;
  }

  /** Gives the room of a message back that the main thread has seen. */
  leave(source: Uint8Array): void {
    Atomics.sub(this.#counts, ALL, 1);
    Atomics.sub(this.#counts, countOf(source), 1);
  }
}

/** Index of the count for an address. It depends on a whole IPv4 address, or on the /64 of an IPv6 address. */
function countOf(source: Uint8Array): number {
  const [from, to] = isIpv4(source) ? [12, 16] : [0, 8];
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + source[at]!) | 0;
  return ((hash ^ (hash >>> 16)) >>> 0) % COUNTS;
}
