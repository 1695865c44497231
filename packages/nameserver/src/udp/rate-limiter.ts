import { randomInt } from 'node:crypto';
import { isIpv4 } from '../transport/source-address.js';

export const VERDICT = {
  SEND: 0,
  /** Send a truncated answer instead: it is small, and a real client retries over TCP. */
  SLIP: 1,
  DROP: 2,
} as const;

export type Verdict = (typeof VERDICT)[keyof typeof VERDICT];

export interface RateLimiterOptions {
  /** Limit of equal answers to a network. */
  readonly responsesPerSecond: number;
  /** Limit of all answers to a network in octets, since a flood could rotate names. */
  readonly octetsPerSecond: number;
  /** Each n-th answer above the limit is sent truncated. 0 for none. */
  readonly slip: number;
}

/** State that the limiters of several threads share, so that a client's limit does not grow with their number. */
export interface RateLimitTable {
  /** Random 32-bit numbers, so that nobody can choose names that collide in one set. */
  readonly seeds: readonly [number, number];
  readonly hashes: Uint32Array;
  readonly paidUntil: Float64Array;
  readonly overLimit: Uint8Array;
}

/** Allowed burst: answers of one second at once, since resolvers query in bursts. */
const BURST_MS = 1_000;
/** Upper limit of NAMESERVER_UDP_MAX_PAYLOAD_BYTES. */
const MAX_ANSWER_OCTETS = 4_096;
/** Number of entries in a set. The least important one is evicted. */
const WAYS = 4;

/** Creates a table with at least `entries` buckets in shared memory, rounded up to a power of two of sets. */
export function createRateLimitTable(
  entries: number,
  seeds: readonly [number, number] = [randomInt(2 ** 32), randomInt(2 ** 32)],
): RateLimitTable {
  const buckets = 2 ** Math.ceil(Math.log2(entries / WAYS)) * WAYS;
  return {
    seeds,
    hashes: new Uint32Array(new SharedArrayBuffer(buckets * 8)),
    paidUntil: new Float64Array(new SharedArrayBuffer(buckets * 8)),
    overLimit: new Uint8Array(new SharedArrayBuffer(buckets)),
  };
}

/**
 * Response rate limiting. It limits the rate of the same answer, and the amount of all answers, to one network over UDP.
 * There the source of a query may be forged, and the answer an attack on somebody else.
 *
 *   table    [ bucket bucket bucket bucket | bucket bucket bucket bucket | ... ]     sets of four. The hash picks the set.
 *   bucket   two 32-bit hashes of (network, answer) or of the network, time until which answers are paid for, slips
 *
 * Each answer moves that time forward (GCRA): in the bucket of its kind by 1/rate, in that of the network by its
 * length. An answer is above the limit while one of the times is more than BURST_MS ahead. Memory is fixed. An evicted
 * bucket starts again, and those that are paid for longest stay. Threads that share a table use no locks: if two use
 * one entry at once, an answer more or less is sent.
 */
export class RateLimiter {
  readonly #slip: number;
  readonly #intervalMs: number;
  readonly #msPerOctet: number;
  readonly #longestMs: number;
  readonly #seeds: readonly [number, number];
  readonly #setMask: number;
  readonly #hashes: Uint32Array;
  readonly #paidUntil: Float64Array;
  readonly #overLimit: Uint8Array;

  constructor(table: RateLimitTable, options: RateLimiterOptions) {
    this.#slip = options.slip;
    this.#intervalMs = 1_000 / options.responsesPerSecond;
    this.#msPerOctet = 1_000 / options.octetsPerSecond;
    this.#longestMs = MAX_ANSWER_OCTETS * this.#msPerOctet;
    this.#seeds = table.seeds;
    this.#setMask = table.paidUntil.length / WAYS - 1;
    this.#hashes = table.hashes;
    this.#paidUntil = table.paidUntil;
    this.#overLimit = table.overLimit;
  }

  /**
   * Decides whether an answer of `octets` octets is sent to this source (sixteen octets). `answer` is equal for equal
   * answers.
   * Networks are IPv4 /24 and IPv6 /56: smaller than the networks of one attacked party, larger than one forged
   * address.
   */
  decide(source: Uint8Array, answer: number, octets: number, nowMs: number): Verdict {
    const first = hashNetwork(this.#seeds[0], source);
    const second = hashNetwork(this.#seeds[1], source);
    const all = this.#findEntry(first >>> 0, second >>> 0);
    const equal = this.#findEntry(mix(first, answer) >>> 0, mix(second, answer) >>> 0);
    const allStart = this.#startOf(all, this.#longestMs, nowMs);
    const equalStart = this.#startOf(equal, this.#intervalMs, nowMs);
    const end = nowMs + BURST_MS;
    // Half an interval of tolerance, so that rounding never affects the last answer of a burst.
    const isEqualOver = equalStart + this.#intervalMs / 2 >= end;
    if (!isEqualOver && allStart < end) {
      // Answers that are not sent are not counted, so a flood of one answer does not affect other answers to the
      // network.
      this.#paidUntil[all] = allStart + octets * this.#msPerOctet;
      this.#paidUntil[equal] = equalStart + this.#intervalMs;
      return VERDICT.SEND;
    }
    if (this.#slip === 0) return VERDICT.DROP;
    const entry = isEqualOver ? equal : all;
    const over = (this.#overLimit[entry]! + 1) % this.#slip;
    this.#overLimit[entry] = over;
    return over === 0 ? VERDICT.SLIP : VERDICT.DROP;
  }

  /** Returns the time from which the next answer counts; no answer counts for more than `mostMs`. */
  #startOf(entry: number, mostMs: number, nowMs: number): number {
    const paidUntil = this.#paidUntil[entry]!;
    // After the clock was set back, a network is not blocked until the old time is reached again.
    const isFromFuture = paidUntil > nowMs + BURST_MS + mostMs;
    return isFromFuture || paidUntil < nowMs ? nowMs : paidUntil;
  }

  #findEntry(first: number, second: number): number {
    const set = (first & this.#setMask) * WAYS;
    let least = set;
    for (let entry = set; entry < set + WAYS; entry++) {
      if (this.#hashes[entry * 2] === first && this.#hashes[entry * 2 + 1] === second) return entry;
      if (this.#paidUntil[entry]! < this.#paidUntil[least]!) least = entry;
    }
    this.#hashes[least * 2] = first;
    this.#hashes[least * 2 + 1] = second;
    this.#paidUntil[least] = 0;
    this.#overLimit[least] = 0;
    return least;
  }
}

function hashNetwork(seed: number, source: Uint8Array): number {
  const [from, to] = isIpv4(source) ? IPV4_NETWORK : IPV6_NETWORK;
  let hash = seed;
  for (let i = from; i < to; i++) hash = mix(hash, source[i]!);
  return hash;
}

/** Octets of a source address that identify its network: /24 after the IPv4 prefix, and /56. */
const IPV4_NETWORK = [10, 15] as const;
const IPV6_NETWORK = [0, 7] as const;

/** Mixes a word into a hash as MurmurHash3 does, with the final step for each word so that every bit has an effect. */
function mix(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
