import { inQuotes, NameSyntaxError, type Validator } from '../values/problem.js';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS, nameToWire } from '../wire/name-to-wire.js';
import { concatOctets } from '../wire/octets.js';
import { wireToName } from '../wire/wire-to-name.js';
import { splitLabels, toAsciiDomainName, toAsciiLabel } from './to-ascii-domain-name.js';

/** Rule that a name violates. `what` continues a sentence that begins with the name. */
interface NameFault {
  readonly validator: Validator;
  readonly what: string;
}

/** Length above which only the length of a name is checked. No valid name is longer in any notation. */
const FAR_TOO_LONG = 4 * MAX_NAME_OCTETS;

/** Whether the only useful error for a name in a request is that it is too long. */
export function isFarTooLong(name: string): boolean {
  return name.length > FAR_TOO_LONG;
}

/**
 * Finds every rule for names in requests that this name violates (D-ZONE-21). Labels have 1 to 63 letters, digits,
 * hyphens and underscores, with no hyphen at either end. A name has at most 255 octets. A U-label counts as its
 * A-label. The caller decides whether the name must be absolute.
 */
export function findNameFaults(name: string): NameFault[] {
  // Errors for each label of a huge name would only make a huge response.
  if (name.length > MAX_NAME_OCTETS) {
    return [tooLong(`${name.length} characters`)];
  }
  const labels = readLabels(name).labels.map((label) => toAsciiLabel(label) ?? label);
  const faults = [...new Set(labels.flatMap(findLabelFaults))];
  const octets = labels.reduce((sum, label) => sum + label.length + 1, 1);
  return [
    ...faults.map((what): NameFault => ({ validator: 'label', what })),
    ...(octets > MAX_NAME_OCTETS ? [tooLong(`${octets} octets on the wire`)] : []),
  ];
}

/** Returns the labels of a name in a request, which has no escapes, and whether the name has a trailing dot. */
export function readLabels(name: string): { labels: string[]; absolute: boolean } {
  const labels = splitLabels(name);
  const absolute = labels.length > 1 && labels.at(-1) === '';
  return { labels: absolute ? labels.slice(0, -1) : labels, absolute };
}

function tooLong(length: string): NameFault {
  return { validator: 'maxLength', what: `takes ${length}; ${MAX_NAME_OCTETS} is the most` };
}

function findLabelFaults(label: string): string[] {
  if (label === '') {
    return ['has an empty label; put exactly one dot between two labels'];
  }
  const faults: string[] = [];
  if (label.length > MAX_LABEL_OCTETS) {
    const length = `${label.length} octets; ${MAX_LABEL_OCTETS} is the most`;
    faults.push(`has the label ${inQuotes(label)} of ${length}`);
  }
  const odd = /[^A-Za-z0-9_-]/u.exec(label)?.[0];
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
