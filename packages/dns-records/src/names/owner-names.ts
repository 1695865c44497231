import { nameToWire } from '../wire/name-to-wire.js';
import { lowerCaseOctets } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';

/** Full stop and the characters that UTS 46 s4 maps to it. */
const LABEL_SEPARATOR = /[.\u3002\uff0e\uff61]/;

/** Splits a name into labels. A dot behind a backslash is part of its label (RFC 1035 s5.1). */
export function splitLabels(name: string): string[] {
  if (!name.includes('\\')) return name.split(LABEL_SEPARATOR);
  const labels: string[] = [];
  let label = '';
  for (const part of name.match(/\\?[^]/g) ?? []) {
    if (part.length > 1 || !LABEL_SEPARATOR.test(part)) {
      label += part;
      continue;
    }
    labels.push(label);
    label = '';
  }
  return [...labels, label];
}

/** Whether the text ends with an unescaped dot, the root. */
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

/** Returns an absolute name for one that may be relative to `origin`. `@` is the origin (RFC 1035 s5.1). */
export function toAbsoluteName(text: string, origin: string): string {
  if (text === '@') {
    return origin;
  }
  if (isAbsolute(text)) {
    return text;
  }
  return origin === '.' ? `${text}.` : `${text}.${origin}`;
}

/** Whether `ownerName` is `zoneName` or below it. Both are canonical (canonicalOwnerName). */
export function isAtOrBelow(ownerName: string, zoneName: string): boolean {
  if (ownerName === zoneName || zoneName === '.') {
    return true;
  }
  // The dot before the zone's name must end a label: `a\.example.` is not a child of `example.`.
  return ownerName.endsWith(`.${zoneName}`) && isAbsolute(ownerName.slice(0, -zoneName.length));
}

/** Returns `ownerName` as in a zone file after `$ORIGIN origin`. Both are canonical. */
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
 * Returns the text form of an owner name for comparison and storage. It has ASCII letters in lower case (RFC 4343 s3),
 * a trailing dot, and only the escapes that wireToName writes. The length of names without escapes is checked by
 * nameToWire and the checks. @throws NameSyntaxError for invalid escapes or characters
 */
export function canonicalOwnerName(text: string): string {
  const absolute = text === '' || isAbsolute(text) ? text : `${text}.`;
  if (PLAIN_NAME.test(text)) {
    return absolute.toLowerCase();
  }
  return wireToName(lowerCaseOctets(nameToWire(absolute)));
}

/** Returns the names above `name`, nearest first, without the root. For `a.b.c.` they are `b.c.` and `c.` */
export function ancestorsOf(name: string): string[] {
  if (name.includes('\\')) {
    const labels = splitLabels(name.slice(0, -1));
    return labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.`);
  }
  const above: string[] = [];
  let start = name.indexOf('.') + 1;
  while (start > 0 && start < name.length) {
    above.push(name.slice(start));
    start = name.indexOf('.', start) + 1;
  }
  return above;
}
