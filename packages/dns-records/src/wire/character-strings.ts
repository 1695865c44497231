import { RdataSyntaxError } from '../values/problem.js';

const MAX_STRING_OCTETS = 255;

/** Encodes character strings with their length octets (RFC 1035 s3.3). A string over 255 octets becomes several. */
export function characterStringsToWire(strings: readonly Uint8Array[]): Uint8Array {
  const wire = new Uint8Array(
    strings.reduce((length, string) => length + partsOf(string) + string.length, 0),
  );
  let end = 0;
  for (const string of strings) {
    for (let part = 0; part < partsOf(string); part += 1) {
      const octets = string.subarray(part * MAX_STRING_OCTETS, (part + 1) * MAX_STRING_OCTETS);
      wire[end] = octets.length;
      wire.set(octets, end + 1);
      end += 1 + octets.length;
    }
  }
  return wire;
}

/** Reads rdata that consists of character strings. @throws RdataSyntaxError */
export function wireToCharacterStrings(wire: Uint8Array): Uint8Array[] {
  const strings: Uint8Array[] = [];
  let at = 0;
  while (at < wire.length) {
    const end = at + 1 + wire[at]!;
    if (end > wire.length) {
      throw new RdataSyntaxError(
        `A string of ${wire[at]!} octets begins ${wire.length - at} octets before the end of its rdata.`,
      );
    }
    strings.push(wire.subarray(at + 1, end));
    at = end;
  }
  if (strings.length === 0) {
    throw new RdataSyntaxError('The rdata is empty; it must contain at least one string.');
  }
  return strings;
}

function partsOf(string: Uint8Array): number {
  return Math.max(1, Math.ceil(string.length / MAX_STRING_OCTETS));
}
