import { lowerCase } from './lookup-name.js';
import type { LookupName } from './lookup-name.js';
import { readUint16 } from './octets.js';

/** A pointer has two set bits, then 14 bits of offset from the start of the message (RFC 1035 s4.1.4). */
export const POINTER_FLAG = 0xc000;
export const MAX_POINTER_OFFSET = 0x3fff;
const POINTER_OCTET = 0xc0;

/**
 * Maximum number of compression targets, more than in a message over UDP. Later names in a longer message are
 * compressed with these, so the work for each name is limited.
 */
const CAPACITY = 48;

export const UNKNOWN_NAME = -1;

/** Compression table: names and their ancestors, with their offsets in the message. */
export class CompressionTargets {
  count = 0;
  readonly hashes = new Int32Array(CAPACITY);
  /** Offsets from the start of the message. */
  readonly offsets = new Uint16Array(CAPACITY);
}

/** Notes that the ancestors `from` to `to` (exclusive) of the name were written at `offset`. */
export function rememberNames(
  known: CompressionTargets,
  name: LookupName,
  from: number,
  to: number,
  offset: number,
): void {
  const base = offset - name.starts[from]!;
  for (let ancestor = from; ancestor < to; ancestor++) {
    const at = base + name.starts[ancestor]!;
    if (known.count === CAPACITY || at > MAX_POINTER_OFFSET) return;
    known.hashes[known.count] = name.hashes[ancestor]!;
    known.offsets[known.count] = at;
    known.count++;
  }
}

/**
 * Returns the offset of the ancestor in the message that starts at `start` of `octets`, or UNKNOWN_NAME. The
 * comparison ignores case, as RFC 4343 s4.1 allows.
 */
export function findCompressionTarget(
  known: CompressionTargets,
  octets: Uint8Array,
  start: number,
  name: LookupName,
  ancestor: number,
): number {
  const hash = name.hashes[ancestor]!;
  for (let i = 0; i < known.count; i++) {
    if (known.hashes[i] !== hash) continue;
    const offset = known.offsets[i]!;
    if (isNameAt(octets, start, offset, name, ancestor)) return offset;
  }
  return UNKNOWN_NAME;
}

/** Whether a name is at an offset. This server wrote the message, so its pointers are valid and lead backwards. */
function isNameAt(
  octets: Uint8Array,
  start: number,
  offset: number,
  name: LookupName,
  ancestor: number,
): boolean {
  let at = start + offset;
  for (let i = name.starts[ancestor]!; i < name.length;) {
    while (octets[at]! >= POINTER_OCTET) at = start + (readUint16(octets, at) & MAX_POINTER_OFFSET);
    const labelEnd = i + 1 + name.lower[i]!;
    // The comparison starts with the length octet, which the case mask does not change.
    for (; i < labelEnd; i++, at++) {
      if (lowerCase(octets[at]!) !== name.lower[i]) return false;
    }
  }
  return true;
}
