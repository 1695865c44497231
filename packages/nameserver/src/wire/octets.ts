/** Reads and writes big-endian numbers, as in all of DNS (RFC 1035 s2.3.2). Callers have checked the bounds. */

export function readUint16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!;
}

export function writeUint16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >>> 8;
  octets[at + 1] = value;
}

export function writeUint32(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >>> 24;
  octets[at + 1] = value >>> 16;
  octets[at + 2] = value >>> 8;
  octets[at + 3] = value;
}

/** Returns a signed number. Callers that need an unsigned one use `>>> 0`. */
export function readInt32(octets: Uint8Array, at: number): number {
  return (octets[at]! << 24) | (octets[at + 1]! << 16) | (octets[at + 2]! << 8) | octets[at + 3]!;
}

/** Copies octet by octet. For the short runs in DNS, this is faster than `set`, which needs a view. */
export function copyOctets(
  to: Uint8Array,
  toStart: number,
  from: Uint8Array,
  fromStart: number,
  length: number,
): void {
  for (let i = 0; i < length; i++) to[toStart + i] = from[fromStart + i]!;
}

/** Copies with views, eight octets at a time, for long data such as signatures. */
export function copyViewed(
  to: DataView,
  toStart: number,
  from: DataView,
  fromStart: number,
  length: number,
): void {
  let i = 0;
  for (const end = length - 7; i < end; i += 8) {
    const first = from.getInt32(fromStart + i);
    const second = from.getInt32(fromStart + i + 4);
    to.setInt32(toStart + i, first);
    to.setInt32(toStart + i + 4, second);
  }
  if (i + 4 <= length) {
    to.setInt32(toStart + i, from.getInt32(fromStart + i));
    i += 4;
  }
  for (; i < length; i++) to.setUint8(toStart + i, from.getUint8(fromStart + i));
}
