import { concatOctets } from '../wire/octets.js';

const WINDOW_TYPES = 256;

/** Encodes types as NSEC lists them: windows of up to 32 octets without trailing zeros (RFC 4034 s4.1.2). */
export function typesToBitmap(types: Iterable<number>): Uint8Array {
  const windows = new Map<number, Uint8Array>();
  for (const type of types) {
    const window = Math.floor(type / WINDOW_TYPES);
    const bit = type % WINDOW_TYPES;
    const octets = windows.get(window) ?? new Uint8Array(WINDOW_TYPES / 8);
    octets[bit >> 3]! |= 0x80 >> (bit & 7);
    windows.set(window, octets);
  }
  const sorted = [...windows].sort(([a], [b]) => a - b);
  return concatOctets(
    sorted.map(([window, octets]) => {
      const length = octets.findLastIndex((octet) => octet !== 0) + 1;
      return Uint8Array.of(window, length, ...octets.subarray(0, length));
    }),
  );
}

/** Types of a bitmap that extends to the end of the rdata, ascending. */
export function bitmapToTypes(bitmap: Uint8Array): number[] {
  const types: number[] = [];
  for (let at = 0; at + 1 < bitmap.length; at += 2 + bitmap[at + 1]!) {
    const octets = bitmap.subarray(at + 2, at + 2 + bitmap[at + 1]!);
    const first = bitmap[at]! * WINDOW_TYPES;
    for (let bit = 0; bit < octets.length * 8; bit += 1) {
      if ((octets[bit >> 3]! & (0x80 >> (bit & 7))) !== 0) types.push(first + bit);
    }
  }
  return types;
}
