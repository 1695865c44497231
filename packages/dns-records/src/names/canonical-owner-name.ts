import { lowerCaseOctets } from '../wire/lower-case.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { wireToName } from '../wire/wire-to-name.js';
import { isAbsolute } from './relative-names.js';

const PLAIN_NAME = /^[A-Za-z0-9_*.-]+$/;

/**
 * The one text form of an owner name for comparison and storage. It has ASCII letters in lower case (RFC 4343 s3), a
 * trailing dot, and escapes only where wireToName writes them. Throws NameSyntaxError for escapes or characters that no
 * name has; the length of plain names is left to nameToWire and the checks.
 */
export function canonicalOwnerName(text: string): string {
  const absolute = text === '' || isAbsolute(text) ? text : `${text}.`;
  if (PLAIN_NAME.test(text)) {
    return absolute.toLowerCase();
  }
  return wireToName(lowerCaseOctets(nameToWire(absolute)));
}
