/** Functions that build and read big-endian octets, the byte order of DNS (RFC 1035 s2.3.2). */

/** Joins the parts in a new array. */
export function concatOctets(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Encodes each number in two octets. */
export function uint16sToOctets(...numbers: readonly number[]): Uint8Array {
  const octets = new Uint8Array(numbers.length * 2);
  let at = 0;
  for (const number of numbers) {
    octets[at++] = number >>> 8;
    octets[at++] = number;
  }
  return octets;
}

/** Encodes each number in four octets. */
export function uint32sToOctets(...numbers: readonly number[]): Uint8Array {
  const octets = new Uint8Array(numbers.length * 4);
  let at = 0;
  for (const number of numbers) {
    for (const shift of [24, 16, 8, 0]) octets[at++] = number >>> shift;
  }
  return octets;
}

/** @returns the offset after the number */
export function writeUint16(octets: Uint8Array, number: number, at: number): number {
  octets[at] = number >>> 8;
  octets[at + 1] = number;
  return at + 2;
}

/** @returns the offset after the number */
export function writeUint32(octets: Uint8Array, number: number, at: number): number {
  return writeUint16(octets, number, writeUint16(octets, number >>> 16, at));
}

/** The caller must check that there are two octets at `at`. */
export function readUint16(wire: Uint8Array, at: number): number {
  return (wire[at]! << 8) | wire[at + 1]!;
}

/** The caller must check that there are four octets at `at`. */
export function readUint32(wire: Uint8Array, at: number): number {
  return readUint16(wire, at) * 0x10000 + readUint16(wire, at + 2);
}

/**
 * Returns a copy with ASCII letters in lower case between `start` and `end` (RFC 4343 s3). It also works for names in
 * wire form: length octets are at most 63, so never A to Z (65 to 90).
 */
export function lowerCaseOctets(wire: Uint8Array, start = 0, end = wire.length): Uint8Array {
  const lower = wire.slice();
  for (let at = start; at < end; at += 1) {
    const octet = wire[at]!;
    if (octet >= 0x41 && octet <= 0x5a) {
      lower[at] = octet | 0x20;
    }
  }
  return lower;
}

const DECIMAL_ESCAPE = /(\d{3})/y;

/** Whether a character code is an ASCII digit. False for NaN, the code after the end of a text. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Returns the octet for the three digits of `\DDD` (RFC 1035 s5.1). The first digit is at `at`. */
export function readDecimalEscape(text: string, at: number): number | undefined {
  DECIMAL_ESCAPE.lastIndex = at;
  const digits = DECIMAL_ESCAPE.exec(text)?.[1];
  return digits === undefined || Number(digits) > 0xff ? undefined : Number(digits);
}
