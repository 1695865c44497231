/**
 * SipHash-2-4 (Aumasson and Bernstein 2012), a keyed 64-bit hash, for server cookies (RFC 9018 s4.4). The four 64-bit
 * words of its state are pairs of 32-bit halves: v0 low, v0 high, v1 low and so on.
 */
const SIPHASH_KEY_OCTETS = 16;
export const SIPHASH_OCTETS = 8;

/** Constant "somepseudorandomlygeneratedbytes", which masks the key at the start. */
const INITIAL_STATE = [
  0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
];

const WORD_OCTETS = 8;
const COMPRESSION_ROUNDS = 2;
const FINALIZATION_ROUNDS = 4;
const FINALIZATION_MARK = 0xff;

export class SipHash {
  readonly #keyed = new Int32Array(WORD_OCTETS);
  readonly #state = new Int32Array(WORD_OCTETS);

  constructor(key: Uint8Array) {
    if (key.length !== SIPHASH_KEY_OCTETS) {
      throw new Error(`A SipHash key must have ${SIPHASH_KEY_OCTETS} octets, not ${key.length}.`);
    }
    // k0 masks v0 and v2, k1 masks v1 and v3.
    INITIAL_STATE.forEach((word, i) => {
      this.#keyed[i] = word ^ littleEndian(key, (i % 4) * 4);
    });
  }

  /** Writes the eight octets of the hash of the first `length` octets of `message` to `output` at `at`. */
  hash(message: Uint8Array, length: number, output: Uint8Array, at: number): void {
    const state = this.#state;
    state.set(this.#keyed);
    const tail = length - (length % WORD_OCTETS);
    for (let i = 0; i < tail; i += WORD_OCTETS) {
      compress(state, littleEndian(message, i), littleEndian(message, i + 4));
    }
    compressTail(state, message, tail, length);
    state[4]! ^= FINALIZATION_MARK;
    for (let round = 0; round < FINALIZATION_ROUNDS; round++) mix(state);
    writeLittleEndian(output, at, state[0]! ^ state[2]! ^ state[4]! ^ state[6]!);
    writeLittleEndian(output, at + 4, state[1]! ^ state[3]! ^ state[5]! ^ state[7]!);
  }
}

/** Compresses the remaining octets, with the length modulo 256 in the last one. */
function compressTail(state: Int32Array, message: Uint8Array, start: number, length: number): void {
  let low = 0;
  let high = length << 24;
  for (let i = start; i < length; i++) {
    const place = i - start;
    if (place < 4) low |= message[i]! << (8 * place);
    else high |= message[i]! << (8 * (place - 4));
  }
  compress(state, low, high);
}

function compress(state: Int32Array, low: number, high: number): void {
  state[6]! ^= low;
  state[7]! ^= high;
  for (let round = 0; round < COMPRESSION_ROUNDS; round++) mix(state);
  state[0]! ^= low;
  state[1]! ^= high;
}

const V0 = 0;
const V1 = 2;
const V2 = 4;
const V3 = 6;

/** Performs one SipRound. */
function mix(state: Int32Array): void {
  addRotateXor(state, V0, V1, 13);
  swapHalves(state, V0);
  addRotateXor(state, V2, V3, 16);
  addRotateXor(state, V0, V3, 21);
  addRotateXor(state, V2, V1, 17);
  swapHalves(state, V2);
}

/** Performs a += b; b = (b <<< shift) ^ a. */
function addRotateXor(state: Int32Array, a: number, b: number, shift: number): void {
  const low = (state[a]! >>> 0) + (state[b]! >>> 0);
  state[a] = low;
  state[a + 1] = state[a + 1]! + state[b + 1]! + (low > 0xffffffff ? 1 : 0);
  const bLow = state[b]!;
  const bHigh = state[b + 1]!;
  state[b] = ((bLow << shift) | (bHigh >>> (32 - shift))) ^ state[a];
  state[b + 1] = ((bHigh << shift) | (bLow >>> (32 - shift))) ^ state[a + 1]!;
}

/** Rotates by 32 bits. */
function swapHalves(state: Int32Array, word: number): void {
  const low = state[word]!;
  state[word] = state[word + 1]!;
  state[word + 1] = low;
}

function littleEndian(octets: Uint8Array, at: number): number {
  return octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
}

function writeLittleEndian(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value;
  octets[at + 1] = value >>> 8;
  octets[at + 2] = value >>> 16;
  octets[at + 3] = value >>> 24;
}
