import { readInt32 } from './octets.js';

/**
 * SHA-1 (FIPS 180-4) of short messages, which NSEC3 needs for each missing name (RFC 5155 s5). For one block it takes a
 * sixth of the time of createHash() of node:crypto and a third of hash(), which allocate memory.
 */

/** Maximum length of a message: a name and a salt of up to 255 octets each. */
const MAX_MESSAGE_OCTETS = 510;
const BLOCK_OCTETS = 64;
/** Octets of the end mark and the length. */
const PADDING_OCTETS = 9;
const MAX_BLOCKS = Math.ceil((MAX_MESSAGE_OCTETS + PADDING_OCTETS) / BLOCK_OCTETS);

/** Message buffer. One digest is computed at a time. */
export const sha1Message = new Uint8Array(MAX_BLOCKS * BLOCK_OCTETS);
/** Digest as five big-endian words. */
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
  // Length in bits. Two octets are sufficient for every possible length.
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

/**
 * Fills the schedule. The sixteen words that the next one needs are variables: reading each from the array takes more
 * than twice as long.
 */
function fillSchedule(start: number): void {
  let w0 = wordAt(start, 0);
  let w1 = wordAt(start, 1);
  let w2 = wordAt(start, 2);
  let w3 = wordAt(start, 3);
  let w4 = wordAt(start, 4);
  let w5 = wordAt(start, 5);
  let w6 = wordAt(start, 6);
  let w7 = wordAt(start, 7);
  let w8 = wordAt(start, 8);
  let w9 = wordAt(start, 9);
  let w10 = wordAt(start, 10);
  let w11 = wordAt(start, 11);
  let w12 = wordAt(start, 12);
  let w13 = wordAt(start, 13);
  let w14 = wordAt(start, 14);
  let w15 = wordAt(start, 15);
  for (let at = 16; at < 80; at += 16) {
    schedule[at] = w0 = rotate1(w13 ^ w8 ^ w2 ^ w0);
    schedule[at + 1] = w1 = rotate1(w14 ^ w9 ^ w3 ^ w1);
    schedule[at + 2] = w2 = rotate1(w15 ^ w10 ^ w4 ^ w2);
    schedule[at + 3] = w3 = rotate1(w0 ^ w11 ^ w5 ^ w3);
    schedule[at + 4] = w4 = rotate1(w1 ^ w12 ^ w6 ^ w4);
    schedule[at + 5] = w5 = rotate1(w2 ^ w13 ^ w7 ^ w5);
    schedule[at + 6] = w6 = rotate1(w3 ^ w14 ^ w8 ^ w6);
    schedule[at + 7] = w7 = rotate1(w4 ^ w15 ^ w9 ^ w7);
    schedule[at + 8] = w8 = rotate1(w5 ^ w0 ^ w10 ^ w8);
    schedule[at + 9] = w9 = rotate1(w6 ^ w1 ^ w11 ^ w9);
    schedule[at + 10] = w10 = rotate1(w7 ^ w2 ^ w12 ^ w10);
    schedule[at + 11] = w11 = rotate1(w8 ^ w3 ^ w13 ^ w11);
    schedule[at + 12] = w12 = rotate1(w9 ^ w4 ^ w14 ^ w12);
    schedule[at + 13] = w13 = rotate1(w10 ^ w5 ^ w15 ^ w13);
    schedule[at + 14] = w14 = rotate1(w11 ^ w6 ^ w0 ^ w14);
    schedule[at + 15] = w15 = rotate1(w12 ^ w7 ^ w1 ^ w15);
  }
}

function wordAt(start: number, word: number): number {
  const value = readInt32(sha1Message, start + word * 4);
  schedule[word] = value;
  return value;
}

function rotate1(word: number): number {
  return (word << 1) | (word >>> 31);
}
