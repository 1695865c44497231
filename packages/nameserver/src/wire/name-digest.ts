import { readUint16 } from './octets.js';
import { digestSha1, sha1Blocks, sha1Digest, sha1Message } from './sha1.js';

/** Offsets in the rdata of NSEC3PARAM (RFC 5155 s4.2). */
const ITERATIONS_OFFSET = 2;
const SALT_LENGTH_OFFSET = 4;
const SALT_OFFSET = 5;
const DIGEST_OCTETS = 20;

/**
 * Computes the NSEC3 hash of a name in lower case (RFC 5155 s5) with the NSEC3PARAM rdata at `parameters`, into
 * `sha1Digest`.
 */
export function digestName(
  octets: Uint8Array,
  parameters: number,
  lower: Uint8Array,
  start: number,
  end: number,
): void {
  const saltLength = octets[parameters + SALT_LENGTH_OFFSET]!;
  const salt = parameters + SALT_OFFSET;
  let length = 0;
  for (let at = start; at < end; at++) sha1Message[length++] = lower[at]!;
  for (let at = 0; at < saltLength; at++) sha1Message[length++] = octets[salt + at]!;
  digestSha1(length);
  const iterations = readUint16(octets, parameters + ITERATIONS_OFFSET);
  for (let left = iterations; left > 0; left--) digestAgain(octets, salt, saltLength);
}

function digestAgain(octets: Uint8Array, salt: number, saltLength: number): void {
  for (let word = 0; word < sha1Digest.length; word++) {
    const value = sha1Digest[word]!;
    const at = word * 4;
    sha1Message[at] = value >>> 24;
    sha1Message[at + 1] = value >>> 16;
    sha1Message[at + 2] = value >>> 8;
    sha1Message[at + 3] = value;
  }
  for (let at = 0; at < saltLength; at++) sha1Message[DIGEST_OCTETS + at] = octets[salt + at]!;
  digestSha1(DIGEST_OCTETS + saltLength);
}

/** Returns the number of SHA-1 blocks that the hash of a name of this length takes. */
export function digestBlocks(octets: Uint8Array, parameters: number, nameLength: number): number {
  const saltLength = octets[parameters + SALT_LENGTH_OFFSET]!;
  const iterations = readUint16(octets, parameters + ITERATIONS_OFFSET);
  return sha1Blocks(nameLength + saltLength) + iterations * sha1Blocks(DIGEST_OCTETS + saltLength);
}

const ALPHABET = Buffer.from('0123456789abcdefghijklmnopqrstuv', 'latin1');
const LABEL_DIGITS = 32;

/**
 * Writes the hash in `sha1Digest` as the label of an NSEC3 owner without its length: base32hex in lower case (RFC 4648
 * s7).
 */
export function writeDigestLabel(label: Uint8Array): void {
  let bits = 0;
  let held = 0;
  let word = 0;
  for (let digit = 0; digit < LABEL_DIGITS; digit++) {
    if (held < 5) {
      const value = sha1Digest[word]!;
      word++;
      // At most four bits remain, so the five highest of the word are complete.
      const needed = 5 - held;
      label[digit] = ALPHABET[((bits << needed) | (value >>> (32 - needed))) & 31]!;
      held = 32 - needed;
      bits = value & (2 ** held - 1);
    } else {
      held -= 5;
      label[digit] = ALPHABET[(bits >>> held) & 31]!;
      bits &= 2 ** held - 1;
    }
  }
}

/** Returns the first 32 bits of the hash in a label. Undefined if the label is not a hash. */
export function prefixOfDigestLabel(label: string): number | undefined {
  if (!/^[0-9a-v]{32}$/.test(label)) return undefined;
  return Number.parseInt(label.slice(0, 6), 32) * 4 + (Number.parseInt(label.charAt(6), 32) >>> 3);
}
