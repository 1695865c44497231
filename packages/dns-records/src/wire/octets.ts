/** Octet strings put together and read: big-endian, as all of DNS (RFC 1035 s2.3.2). */

/** The parts one after the other, as a new array. */
export function concatOctets(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Two octets for each number. */
export function uint16sToOctets(...numbers: readonly number[]): Uint8Array {
  const octets = new Uint8Array(numbers.length * 2);
  let at = 0;
  for (const number of numbers) {
    octets[at++] = number >>> 8;
    octets[at++] = number;
  }
  return octets;
}

/** Four octets for each number. */
export function uint32sToOctets(...numbers: readonly number[]): Uint8Array {
  const octets = new Uint8Array(numbers.length * 4);
  let at = 0;
  for (const number of numbers) {
    for (const shift of [24, 16, 8, 0]) octets[at++] = number >>> shift;
  }
  return octets;
}

/** @returns where the next octet goes */
export function writeUint16(octets: Uint8Array, number: number, at: number): number {
  octets[at] = number >>> 8;
  octets[at + 1] = number;
  return at + 2;
}

/** @returns where the next octet goes */
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
 * ASCII lower case of octets `start` to `end`, as a copy (RFC 4343 s3: of ASCII letters only). Whole names are allowed:
 * length octets are at most 63 and so never among A to Z (65 to 90).
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

/** Whether a character code is an ASCII digit; false for NaN, the code past a text's end. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The octet that the three digits of `\DDD` represent (RFC 1035 s5.1); the first digit is at `at`. */
export function readDecimalEscape(text: string, at: number): number | undefined {
  DECIMAL_ESCAPE.lastIndex = at;
  const digits = DECIMAL_ESCAPE.exec(text)?.[1];
  return digits === undefined || Number(digits) > 0xff ? undefined : Number(digits);
}
