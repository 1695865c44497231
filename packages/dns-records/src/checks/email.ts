import { inQuotes } from '../problems/in-quotes.js';
import { emailToMailboxName, isLocalPart } from '../names/mailbox-name.js';
import { findNameFaults, isFarTooLong, readLabels } from '../names/name-rules.js';
import { DnsSyntaxError } from '../problems/dns-syntax-error.js';
import type { Problem } from '../problems/problem.js';
import { checkRequiredString, memberProblem } from './member.js';

const EXAMPLE = 'an address such as "hostmaster@example.com"';

/** Checks a domain's email: one `@`, valid as a mailbox name in an SOA (D-ZONE-25). */
export function checkEmail(email: unknown): Problem[] {
  return typeof email === 'string'
    ? checkText(email)
    : checkRequiredString('email', email, EXAMPLE);
}

function checkText(email: string): Problem[] {
  if (isFarTooLong(email)) {
    return [emailProblem(email, 'is too long for an SOA record; write a shorter address')];
  }
  const parts = email.split('@');
  const [localPart = '', domain = ''] = parts;
  if (parts.length !== 2) {
    const count = parts.length === 1 ? 'no "@"' : 'more than one "@"';
    return [emailProblem(email, `has ${count}; write ${EXAMPLE}`)];
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

/** Both halves are sound: together they may still be too long. */
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
