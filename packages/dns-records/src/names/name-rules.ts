import { inQuotes, NameSyntaxError, type Validator } from '../values/problem.js';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS, nameToWire } from '../wire/name-to-wire.js';
import { concatOctets, isDigit } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';
import { splitLabels } from './owner-names.js';
import { isAscii, toAsciiDomainName, toAsciiLabel } from './to-ascii-domain-name.js';

/** Rule that a name violates. `what` continues a sentence that begins with the name. */
interface NameFault {
  readonly validator: Validator;
  readonly what: string;
}

/** Length above which only the length of a name is checked. No valid name is longer in any notation. */
const FAR_TOO_LONG = 4 * MAX_NAME_OCTETS;

/**
 * Labels that a name may have.
 *
 * - `host`: letters, digits, hyphens inside (RFC 1123 s2.1), and underscores
 * - `reverse`: the same, and the slash of delegated address ranges (RFC 2317 s4)
 * - `any`: all octets (RFC 2181 s11). Spaces, control characters and the special characters of zone files need an escape
 *   (RFC 1035 s5.1).
 */
export type LabelRule = 'host' | 'reverse' | 'any';

/** Whether the only useful error for a name in a request is that it is too long. */
export function isFarTooLong(name: string): boolean {
  return name.length > FAR_TOO_LONG;
}

/**
 * Finds every rule for names in requests that this name violates (D-ZONE-21). A name has at most 255 octets, and a
 * label 1 to 63. A U-label counts as its A-label. The caller decides whether the name must be absolute.
 */
export function findNameFaults(name: string, rule: LabelRule = 'host'): NameFault[] {
  if (isPlainName(name)) return [];
  // Errors for each label of a huge name would only make a huge response.
  if (rule === 'any' ? isFarTooLong(name) : name.length > MAX_NAME_OCTETS) {
    return [tooLong(`${name.length} characters`)];
  }
  if (name.includes('://')) {
    return [{ validator: 'label', what: 'is a URL; write only the name in it' }];
  }
  const labels = readLabels(name).labels.map((label) => toAsciiLabel(label) ?? label);
  const faults = [...new Set(labels.flatMap((label) => findLabelFaults(label, rule)))];
  const octets = labels.reduce((sum, label) => sum + countOctets(label) + 1, 1);
  return [
    ...faults.map((what): NameFault => ({ validator: 'label', what })),
    ...(octets > MAX_NAME_OCTETS ? [tooLong(`${octets} octets on the wire`)] : []),
  ];
}

const DOT = 0x2e;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

/**
 * Whether every rule allows the name, absolute or not, because its labels have only ASCII letters, digits, underscores
 * and inner hyphens. Most names of a large file need no further check.
 */
export function isPlainName(name: string): boolean {
  // The first length octet and the root are not in the text of a relative name.
  if (name.length > MAX_NAME_OCTETS - 2) return false;
  const end = name.endsWith('.') ? name.length - 1 : name.length;
  let labelStart = 0;
  let before = DOT;
  for (let at = 0; at <= end; at += 1) {
    const code = at === end ? DOT : name.charCodeAt(at);
    if (code === DOT) {
      if (!mayEndLabel(before) || at - labelStart > MAX_LABEL_OCTETS) return false;
      labelStart = at + 1;
    } else if (code === HYPHEN ? before === DOT : !isPlainCode(code)) {
      return false;
    }
    before = code;
  }
  return true;
}

function mayEndLabel(code: number): boolean {
  return code !== DOT && code !== HYPHEN;
}

function isPlainCode(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || isDigit(code) || code === UNDERSCORE;
}

/** Returns the labels of a name in a request, and whether the name has a trailing dot. */
export function readLabels(name: string): { labels: string[]; absolute: boolean } {
  const labels = splitLabels(name);
  const absolute = labels.length > 1 && labels.at(-1) === '';
  return { labels: absolute ? labels.slice(0, -1) : labels, absolute };
}

function tooLong(length: string): NameFault {
  return { validator: 'maxLength', what: `takes ${length}; the maximum is ${MAX_NAME_OCTETS}` };
}

function findLabelFaults(label: string, rule: LabelRule): string[] {
  if (label === '') {
    return ['has an empty label; put exactly one dot between two labels'];
  }
  const octets = countOctets(label);
  const length = `${octets} octets; the maximum is ${MAX_LABEL_OCTETS}`;
  return [
    ...(octets > MAX_LABEL_OCTETS ? [`has the label ${inQuotes(label)} of ${length}`] : []),
    ...(rule === 'any' ? findOddOctet(label) : findUnlikeHost(label, rule)),
  ];
}

function findUnlikeHost(label: string, rule: 'host' | 'reverse'): string[] {
  const faults: string[] = [];
  const odd = (rule === 'host' ? /[^\w-]/u : /[^\w/-]/u).exec(label)?.[0];
  if (odd !== undefined) {
    faults.push(
      `has ${inQuotes(odd)} in the label ${inQuotes(label)}; use letters, digits, hyphens and underscores`,
    );
  }
  if (label.startsWith('-') || label.endsWith('-')) {
    const right = 'put a letter, a digit or an underscore there';
    faults.push(`has the label ${inQuotes(label)} with a hyphen at its start or end; ${right}`);
  }
  return faults;
}

/** An escape, or a character that needs one. A bad escape is only a backslash. */
const ESCAPE_OR_ODD =
  /\\(?:[01]\d\d|2[0-4]\d|25[0-5]|[!-/:-~])|[^!#%&'*+,/0-9:<=>?A-Z[\]^_`a-z{|}~-]/gu;

function findOddOctet(label: string): string[] {
  const odd = label.match(ESCAPE_OR_ODD)?.find((part) => part.length === 1 || !isAscii(part));
  if (odd === undefined) return [];
  const where = `has ${inQuotes(odd)} in the label ${inQuotes(label)}`;
  if (odd === '\\') {
    return [`${where}; write one character or three digits from 000 to 255 after a backslash`];
  }
  if (!isAscii(odd)) return [`${where}; use letters, digits, hyphens and underscores`];
  return [
    `${where}; write ${wireToName(Uint8Array.of(1, odd.charCodeAt(0), 0)).slice(0, -1)} if it belongs there`,
  ];
}

function countOctets(label: string): number {
  return label.includes('\\') ? label.replaceAll(/\\(?:\d{3}|[^])/g, '_').length : label.length;
}

/** Local part: atoms separated by single dots (RFC 5322 s3.2.3, dot-atom-text). */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const MAX_LOCAL_PART_OCTETS = 63;

/**
 * Converts an email address to the RNAME of an SOA (RFC 1035 s8). The local part becomes the first label with its dots
 * escaped, and U-labels of the domain become A-labels. @throws NameSyntaxError
 */
export function emailToMailboxName(email: string): string {
  const [localPart = '', domain = '', ...rest] = email.split('@');
  if (rest.length > 0 || !isLocalPart(localPart)) {
    throw new NameSyntaxError(
      `The address ${inQuotes(email)} is not a mailbox; write one such as "hostmaster@example.com".`,
    );
  }
  const label = Buffer.from(localPart, 'ascii');
  const name = concatOctets([
    Uint8Array.of(label.length),
    label,
    nameToWire(toAsciiDomainName(domain)),
  ]);
  return wireToName(name);
}

/** Whether the text can be the local part of a mailbox in an SOA: one label, without quoted strings. */
export function isLocalPart(text: string): boolean {
  return text.length <= MAX_LOCAL_PART_OCTETS && LOCAL_PART.test(text);
}
