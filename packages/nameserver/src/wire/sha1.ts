/**
 * SHA-1 (FIPS 180-4) of short messages, which NSEC3 needs for each missing name (RFC 5155 s5). For one block it takes
 * a sixth of the time of createHash() of node:crypto and a third of hash(), which allocate.
 */

/** Longest message: a name and a salt of up to 255 octets each. */
const MAX_MESSAGE_OCTETS = 510;
const BLOCK_OCTETS = 64;
/** The end mark and the length. */
const PADDING_OCTETS = 9;
const MAX_BLOCKS = Math.ceil((MAX_MESSAGE_OCTETS + PADDING_OCTETS) / BLOCK_OCTETS);

/** Message buffer. One digest is computed at a time. */
export const sha1Message = new Uint8Array(MAX_BLOCKS * BLOCK_OCTETS);
/** The digest, as five big-endian words. */
export const sha1Digest = new Int32Array(5);
const schedule = new Int32Array(80);

/** Writes the digest of the first octets of `sha1Message` to `sha1Digest`. */
export function digestSha1(length: number): void {
  const end = padMessage(length);
  sha1Digest[0] = 0x67452301;
  sha1Digest[1] = 0xefcdab89 | 0;
  sha1Digest[2] = 0x98badcfe | 0;
  sha1Digest[3] = 0x10325476;
  sha1Digest[4] = 0xc3d2e1f0 | 0;
  for (let at = 0; at < end; at += BLOCK_OCTETS) digestBlock(at);
}

/** Returns the number of blocks of a message of this length. */
export function sha1Blocks(length: number): number {
  return Math.ceil((length + PADDING_OCTETS) / BLOCK_OCTETS);
}

/** Returns the offset of the end of the last block. */
function padMessage(length: number): number {
  const end = sha1Blocks(length) * BLOCK_OCTETS;
  sha1Message[length] = 0x80;
  for (let at = length + 1; at < end - 2; at++) sha1Message[at] = 0;
  // Length in bits; two octets hold every possible one.
  sha1Message[end - 2] = length >>> 5;
  sha1Message[end - 1] = length << 3;
  return end;
}

function digestBlock(start: number): void {
  fillSchedule(start);
  let a = sha1Digest[0]!;
  let b = sha1Digest[1]!;
  let c = sha1Digest[2]!;
  let d = sha1Digest[3]!;
  let e = sha1Digest[4]!;
  // Four loops: the compiler represents the sum as a 32-bit integer if its type does not depend on the round.
  let round = 0;
  for (; round < 20; round++) {
    const next = (rotate5(a) + ((b & c) | (~b & d)) + e + 0x5a827999 + schedule[round]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (; round < 40; round++) {
    const next = (rotate5(a) + (b ^ c ^ d) + e + 0x6ed9eba1 + schedule[round]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (; round < 60; round++) {
    const next = (rotate5(a) + ((b & c) | (d & (b | c))) + e + 0x8f1bbcdc + schedule[round]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  for (; round < 80; round++) {
    const next = (rotate5(a) + (b ^ c ^ d) + e + 0xca62c1d6 + schedule[round]!) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  sha1Digest[0]! += a;
  sha1Digest[1]! += b;
  sha1Digest[2]! += c;
  sha1Digest[3]! += d;
  sha1Digest[4]! += e;
}

function rotate5(word: number): number {
  return (word << 5) | (word >>> 27);
}

function fillSchedule(start: number): void {
  for (let word = 0; word < 16; word++) {
    const at = start + word * 4;
    schedule[word] =
      (sha1Message[at]! << 24) |
      (sha1Message[at + 1]! << 16) |
      (sha1Message[at + 2]! << 8) |
      sha1Message[at + 3]!;
  }
  for (let word = 16; word < 80; word++) {
    const mixed =
      schedule[word - 3]! ^ schedule[word - 8]! ^ schedule[word - 14]! ^ schedule[word - 16]!;
    schedule[word] = (mixed << 1) | (mixed >>> 31);
  }
}
