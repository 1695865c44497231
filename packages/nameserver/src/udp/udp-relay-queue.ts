import { isIpv4 } from '../transport/source-address.js';

/** Maximum number of messages that wait for the main thread, each of at most 64 KiB. */
const MAX_WAITING = 256;
/** Number of counters. Each address belongs to one of them. */
const COUNTS = 64;
const ALL = COUNTS;

/**
 * Counts of messages that a worker has relayed to the main thread and that it has not processed yet, in shared memory.
 * The channel between the threads has no limit, and senders of datagrams are faster than their reader. Each count
 * covers some networks, and is limited to the number of remaining places, so floods of many networks leave places free.
 */
export class RelayQueue {
  readonly #counts: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#counts = new Int32Array(memory);
  }

  static create(): SharedArrayBuffer {
    return new SharedArrayBuffer((COUNTS + 1) * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Reserves room for a message from an address of sixteen octets. Returns false if there is none. */
  enter(source: Uint8Array): boolean {
    const network = countOf(source);
    const free = MAX_WAITING - Atomics.load(this.#counts, ALL);
    if (Atomics.load(this.#counts, network) >= free) return false;
    Atomics.add(this.#counts, ALL, 1);
    Atomics.add(this.#counts, network, 1);
    return true;
  }

  /** Releases the room of a message that the main thread has processed. */
  leave(source: Uint8Array): void {
    Atomics.sub(this.#counts, ALL, 1);
    Atomics.sub(this.#counts, countOf(source), 1);
  }
}

/** Returns the index of the count for an address, by the whole IPv4 address or the /64 of an IPv6 address. */
function countOf(source: Uint8Array): number {
  const [from, to] = isIpv4(source) ? [12, 16] : [0, 8];
  let hash = 0;
  for (let at = from; at < to; at += 1) hash = (Math.imul(hash, 31) + source[at]!) | 0;
  return ((hash ^ (hash >>> 16)) >>> 0) % COUNTS;
}
