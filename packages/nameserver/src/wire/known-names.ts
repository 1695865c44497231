import { lowerCase } from './lookup-name.js';
import type { LookupName } from './lookup-name.js';
import { readUint16 } from './octets.js';

/** A pointer is two bits set, then 14 bits of offset from the start of the message (RFC 1035 s4.1.4). */
export const POINTER_FLAG = 0xc000;
export const MAX_POINTER_OFFSET = 0x3fff;
const POINTER_OCTET = 0xc0;

/**
 * Names that later ones may point to: more than messages over UDP hold. In a longer one, later names are still
 * compressed against these, so the work for each name stays bounded.
 */
const CAPACITY = 48;

export const UNKNOWN_NAME = -1;

/** Table for compression: names, and so their ancestors, with the offsets at which they were written. */
export class CompressionTargets {
  count = 0;
  readonly hashes = new Int32Array(CAPACITY);
  /** From the start of the message. */
  readonly offsets = new Uint16Array(CAPACITY);
}

/** Notes that the name's ancestors from `from` up to, without, `to` have been written out at `offset`. */
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
 * Returns the offset of the ancestor in the message that begins at `start` of `octets`, or UNKNOWN_NAME. Letter case
 * makes no difference: RFC 4343 s4.1 lets compression change it.
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

/** The message is our own: its pointers lead backwards to names. */
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
    // Begins with the length octet, in which case makes no difference either.
    for (; i < labelEnd; i++, at++) {
      if (lowerCase(octets[at]!) !== name.lower[i]) return false;
    }
  }
  return true;
}
