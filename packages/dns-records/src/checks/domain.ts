import {
  emailToMailboxName,
  findNameFaults,
  isFarTooLong,
  isLocalPart,
  readLabels,
} from '../names/name-rules.js';
import {
  DnsSyntaxError,
  hasUnstorableCharacter,
  inQuotes,
  type Problem,
  type Validator,
} from '../values/problem.js';
import { checkRequiredString, kindOf, memberProblem } from './member.js';

/** Names of addresses (RFC 1035 s3.5, RFC 3596 s2.5). */
const REVERSE = /\.(?:in-addr|ip6)\.arpa\.?$/i;

const EXAMPLE = 'an absolute name such as "example.com."';

/**
 * Checks a domain's name (D-ZONE), except for the public-suffix rule. A valid name is stored in the form that
 * toAsciiDomainName returns.
 */
export function checkDomainName(name: unknown): Problem[] {
  return typeof name === 'string' ? checkText(name) : checkRequiredString('name', name, EXAMPLE);
}

function checkText(name: string): Problem[] {
  if (name === '' || name === '.') {
    return [nameProblem(name, 'minLabels', `has no labels; write ${EXAMPLE}`)];
  }
  return [
    ...(isFarTooLong(name) ? [] : checkAbsolute(name)),
    ...findNameFaults(name, REVERSE.test(name) ? 'reverse' : 'host').map(({ validator, what }) =>
      nameProblem(name, validator, what),
    ),
    ...(isFarTooLong(name) ? [] : checkLabelCount(name)),
  ];
}

function checkAbsolute(name: string): Problem[] {
  const what = `does not end with a dot; write ${inQuotes(`${name}.`)}`;
  return readLabels(name).absolute ? [] : [nameProblem(name, 'absolute', what)];
}

function checkLabelCount(name: string): Problem[] {
  const what = 'has fewer than two labels; a domain has two or more, such as "example.com."';
  return readLabels(name).labels.length < 2 ? [nameProblem(name, 'minLabels', what)] : [];
}

function nameProblem(name: string, validator: Validator, what: string): Problem {
  return memberProblem('name', validator, `${inQuotes(name)} ${what}`);
}

const EMAIL_EXAMPLE = 'an address such as "hostmaster@example.com"';

/** Checks a domain's email: one `@`, valid as a mailbox name in an SOA (D-ZONE-25). */
export function checkEmail(email: unknown): Problem[] {
  return typeof email === 'string'
    ? checkEmailText(email)
    : checkRequiredString('email', email, EMAIL_EXAMPLE);
}

function checkEmailText(email: string): Problem[] {
  if (isFarTooLong(email)) {
    return [emailProblem(email, 'is too long for an SOA record; write a shorter address')];
  }
  const parts = email.split('@');
  const [localPart = '', domain = ''] = parts;
  if (parts.length !== 2) {
    const count = parts.length === 1 ? 'no "@"' : 'more than one "@"';
    return [emailProblem(email, `has ${count}; write ${EMAIL_EXAMPLE}`)];
  }
  const problems = [...checkLocalPart(email, localPart), ...checkMailDomain(email, domain)];
  return problems.length > 0 ? problems : checkMailbox(email);
}

function checkLocalPart(email: string, localPart: string): Problem[] {
  const what =
    'must have 1 to 63 letters, digits or any of !#$%&\'*+/=?^_`{|}~- before the "@", with single dots between';
  return isLocalPart(localPart) ? [] : [emailProblem(email, what)];
}

function checkMailDomain(email: string, domain: string): Problem[] {
  if (readLabels(domain).absolute) {
    return [emailProblem(email, `ends with a dot; write ${inQuotes(email.slice(0, -1))}`)];
  }
  return findNameFaults(domain).map(({ what }) => emailProblem(email, `${what}, after the "@"`));
}

/** Checks the length of the mailbox name. Both parts are valid, but together they may be too long. */
function checkMailbox(email: string): Problem[] {
  try {
    emailToMailboxName(email);
    return [];
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) {
      throw error;
    }
    return [emailProblem(email, 'is too long for an SOA record; write a shorter address')];
  }
}

function emailProblem(email: string, what: string): Problem {
  return memberProblem('email', 'format', `${inQuotes(email)} ${what}`);
}

/**
 * Returns the email of a domain for which the client names none. An address cannot contain the name of an address range,
 * such as `0/25.2.0.192.in-addr.arpa` (RFC 2317), so it is in the network above.
 */
export function defaultEmail(name: string): string {
  return `hostmaster@${name.replace(/\.$/, '').replace(/^[^.]*\/[^.]*\./, '')}`;
}

const MAX_DESCRIPTION_CHARACTERS = 160;

/** Checks a description: a string of at most 160 characters, null or absent (D-ZONE-28). */
export function checkDescription(description: unknown): Problem[] {
  if (description === undefined || description === null) {
    return [];
  }
  if (typeof description !== 'string') {
    const what = `is ${kindOf(description)}; write a string or null`;
    return [memberProblem('description', 'type', what)];
  }
  return [...checkLength(description), ...checkCharacters(description)];
}

function checkLength(description: string): Problem[] {
  // A character has at most two code units, so a much longer text is rejected before its characters are counted.
  const isFarTooLong = description.length > 2 * MAX_DESCRIPTION_CHARACTERS;
  const length = isFarTooLong ? description.length : Array.from(description).length;
  const what = `has ${length} characters; the maximum is ${MAX_DESCRIPTION_CHARACTERS}`;
  return length > MAX_DESCRIPTION_CHARACTERS
    ? [memberProblem('description', 'maxLength', what)]
    : [];
}

function checkCharacters(description: string): Problem[] {
  const what = 'contains a NUL or an unpaired surrogate; remove it';
  return hasUnstorableCharacter(description) ? [memberProblem('description', 'format', what)] : [];
}
