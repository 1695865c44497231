import { NameSyntaxError } from '../values/problem.js';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from './name-to-wire.js';

/** Characters with a special meaning in master-file text (RFC 1035 s5.1): `"` `$` `(` `)` `.` `;` `@` `\`. */
const SPECIAL = new Set(Buffer.from('"$().;@\\'));

/**
 * Returns the master-file text of the uncompressed name at `offset` (RFC 1035 s3.1, s5.1). It always has a trailing
 * dot, and escapes from which nameToWire creates the same octets. @throws NameSyntaxError
 */
export function wireToName(bytes: Uint8Array, offset = 0): string {
  const end = nameEnd(bytes, offset);
  let text = '';
  for (let at = offset; at < end - 1; at += 1 + bytes[at]!) {
    text += `${labelText(bytes, at + 1, at + 1 + bytes[at]!)}.`;
  }
  return text === '' ? '.' : text;
}

/** Returns the offset just after the uncompressed name at `offset`. @throws NameSyntaxError */
export function nameEnd(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (at < bytes.length && bytes[at]! > 0) {
    if (bytes[at]! > MAX_LABEL_OCTETS) {
      throw new NameSyntaxError(
        `The length octet of a label is ${bytes[at]!}; without compression the maximum is ${MAX_LABEL_OCTETS}.`,
      );
    }
    at += 1 + bytes[at]!;
  }
  if (at >= bytes.length) {
    throw new NameSyntaxError('A name is truncated; it must end with the root label.');
  }
  if (at + 1 - offset > MAX_NAME_OCTETS) {
    throw new NameSyntaxError(`A name takes more than ${MAX_NAME_OCTETS} octets on the wire.`);
  }
  return at + 1;
}

function labelText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at += 1) {
    text += octetText(bytes[at]!);
  }
  return text;
}

function octetText(octet: number): string {
  if (octet <= 0x20 || octet >= 0x7f) {
    return `\\${String(octet).padStart(3, '0')}`;
  }
  const character = String.fromCharCode(octet);
  return SPECIAL.has(octet) ? `\\${character}` : character;
}
