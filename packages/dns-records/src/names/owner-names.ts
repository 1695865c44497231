import { nameToWire } from '../wire/name-to-wire.js';
import { lowerCaseOctets } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';

/** Whether the text ends with a dot that is not escaped, that is, names the root last. */
export function isAbsolute(text: string): boolean {
  if (!text.endsWith('.')) {
    return false;
  }
  let backslashes = 0;
  while (text.charAt(text.length - 2 - backslashes) === '\\') {
    backslashes += 1;
  }
  return backslashes % 2 === 0;
}

/** An absolute name from one that may be relative to `origin`; `@` is the origin (RFC 1035 s5.1). */
export function toAbsoluteName(text: string, origin: string): string {
  if (text === '@') {
    return origin;
  }
  if (isAbsolute(text)) {
    return text;
  }
  return origin === '.' ? `${text}.` : `${text}.${origin}`;
}

/** Whether `ownerName` is `zoneName` or lies below it; both canonical (canonicalOwnerName). */
export function isAtOrBelow(ownerName: string, zoneName: string): boolean {
  if (ownerName === zoneName || zoneName === '.') {
    return true;
  }
  // The dot before the zone's name must end a label: `a\.example.` is not a child of `example.`.
  return ownerName.endsWith(`.${zoneName}`) && isAbsolute(ownerName.slice(0, -zoneName.length));
}

/** `ownerName` as a zone file shows it below `$ORIGIN origin`; both are canonical. */
export function toRelativeName(ownerName: string, origin: string): string {
  if (ownerName === origin) {
    return '@';
  }
  if (origin === '.' || !isAtOrBelow(ownerName, origin)) {
    return ownerName;
  }
  return ownerName.slice(0, -origin.length - 1);
}

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

/** The names above `name`, nearest first, without the root: of `a.b.c.` they are `b.c.` and `c.` */
export function ancestorsOf(name: string): string[] {
  const labels = name.slice(0, -1).split('.');
  return labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.`);
}
