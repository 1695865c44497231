import { RdataSyntaxError } from '../dns-syntax-error.js';
import { concatOctets } from './octets.js';

const MAX_STRING_OCTETS = 255;

/** Character strings with their length octets (RFC 1035 s3.3); one over 255 octets becomes several. */
export function characterStringsToWire(strings: readonly Uint8Array[]): Uint8Array {
  return concatOctets(
    strings.flatMap(splitString).flatMap((string) => [Uint8Array.of(string.length), string]),
  );
}

/** The character strings of rdata that holds nothing else. Throws RdataSyntaxError. */
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
    throw new RdataSyntaxError('The rdata is empty; it must hold one string or more.');
  }
  return strings;
}

function splitString(string: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(string.length / MAX_STRING_OCTETS));
  return Array.from({ length: count }, (_, index) =>
    string.subarray(index * MAX_STRING_OCTETS, (index + 1) * MAX_STRING_OCTETS),
  );
}
