import { inQuotes, type Problem, type Validator } from '../values/problem.js';
import {
  findNameFaults,
  isFarTooLong,
  isPlainName,
  type LabelRule,
  readLabels,
} from '../names/name-rules.js';
import { isAtOrBelow, toAbsoluteName } from '../names/owner-names.js';
import { findAsciiDomainName } from '../names/to-ascii-domain-name.js';
import { checkRequiredString, memberProblem } from './member.js';

/**
 * Types whose owners are hosts, as in BIND's check-names. Names of other types may have any labels (RFC 2181 s11).
 */
const TYPES_OF_HOSTS: ReadonlySet<unknown> = new Set(['A', 'AAAA', 'MX']);

/** Checks the name of a record of this type in the zone `zoneName` (D-REC). */
export function checkRecordName(name: unknown, type: unknown, zoneName: string): Problem[] {
  return typeof name === 'string'
    ? checkText(name, zoneName, TYPES_OF_HOSTS.has(type) ? 'host' : 'any')
    : checkRequiredString('name', name, `a name such as ${inQuotes(`www.${zoneName}`)}`);
}

function checkText(name: string, zoneName: string, rule: LabelRule): Problem[] {
  if (name === '' || name === '.') {
    return [notInside(name, zoneName)];
  }
  if (isPlainName(name) && name.endsWith('.') && isAtOrBelow(name.toLowerCase(), zoneName))
    return [];
  // Any label may be an asterisk (RFC 4592 s2.1.1, s4). A valid label of the same length replaces it for the check.
  const faults = findNameFaults(name.replaceAll(/(?<=^|\.)\*(?=\.|$)/g, '_'), rule);
  return [
    ...(isFarTooLong(name) ? [] : checkInside(name, zoneName)),
    ...faults.map(({ validator, what }) => nameProblem(name, validator, what)),
  ];
}

function checkInside(name: string, zoneName: string): Problem[] {
  if (readLabels(name).absolute) {
    return isInside(name, zoneName) ? [] : [notInside(name, zoneName)];
  }
  const absolute = isInside(`${name}.`, zoneName) ? `${name}.` : toAbsoluteName(name, zoneName);
  const what = `does not end with a dot; write ${inQuotes(absolute)}`;
  return [nameProblem(name, 'absolute', what)];
}

function isInside(name: string, zoneName: string): boolean {
  return isAtOrBelow(findAsciiDomainName(name) ?? name, zoneName);
}

function notInside(name: string, zoneName: string): Problem {
  const right = `write ${inQuotes(zoneName)} or a name that ends with ${inQuotes(`.${zoneName}`)}`;
  return nameProblem(name, 'insideDomain', `is not inside the domain; ${right}`);
}

/**
 * Checks that the name of an SRV record begins with the service and the protocol (RFC 2782). A wildcard covers such
 * names (RFC 4592 s4.5).
 */
export function checkServiceName(name: string, zoneName: string): Problem[] {
  if (/^(?:_[^.]+\._[^.]+|\*)\./.test(name)) return [];
  const what = `is not the name of a service; write one such as ${inQuotes(`_sip._tcp.${zoneName}`)}`;
  return [nameProblem(name, 'format', what)];
}

/**
 * Checks that the name of a TLSA record begins with the port and the protocol (RFC 6698 s3). A wildcard may replace
 * both.
 */
export function checkPortName(name: string, zoneName: string): Problem[] {
  if (/^(?:(?:_\d{1,5}|\*)\._[^.]+|\*)\./.test(name)) return [];
  const what = `is not the name of a port; write one such as ${inQuotes(`_443._tcp.${zoneName}`)}`;
  return [nameProblem(name, 'format', what)];
}

/** Checks that a DS record is not at the apex: it belongs to a delegation (RFC 4035 s2.4). */
export function checkDelegatedName(name: string, zoneName: string): Problem[] {
  const what =
    'is the domain itself, whose DS records are in its parent; write the name of a child that NS records delegate';
  return findAsciiDomainName(name) === zoneName ? [nameProblem(name, 'apex', what)] : [];
}

/**
 * Rejects NS records at a wildcard name: the RFC leaves their meaning open, and some servers refuse the whole zone (RFC
 * 4592 section 4.2).
 */
export function checkDelegationName(name: string, zoneName: string): Problem[] {
  const what = `is a wildcard, which cannot be delegated; write the name of one child, such as ${inQuotes(`child.${zoneName}`)}`;
  return name.startsWith('*.') ? [nameProblem(name, 'format', what)] : [];
}

/** Rejects DNAME records at a wildcard name: the RFC leaves their meaning open (RFC 6672 section 3.3). */
export function checkSubstitutedName(name: string, zoneName: string): Problem[] {
  const what = `is a wildcard, which cannot have a DNAME record; write one name, such as ${inQuotes(`old.${zoneName}`)}`;
  return name.startsWith('*.') ? [nameProblem(name, 'format', what)] : [];
}

/**
 * Checks that an alias is not at the apex, which has SOA and NS records: a CNAME allows no other data at its name (RFC
 * 1034 s3.6.2).
 */
export function checkAliasName(name: string, zoneName: string): Problem[] {
  const what = 'is the domain itself, which cannot be an alias; use A or AAAA records here';
  return findAsciiDomainName(name) === zoneName ? [nameProblem(name, 'apex', what)] : [];
}

function nameProblem(name: string, validator: Validator, what: string): Problem {
  return memberProblem('name', validator, `${inQuotes(name)} ${what}`);
}
