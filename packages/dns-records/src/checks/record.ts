import { inQuotes, type Problem } from '../values/problem.js';
import { findAsciiDomainName } from '../names/to-ascii-domain-name.js';
import { MAX_TEXT_CHARACTERS } from '../fields/quoted-strings.js';
import type { RecordType } from '../fields/record-type.js';
import {
  BASIC_TYPE_NAMES,
  findRecordType,
  isRecordTypeName,
  RECORD_TYPES,
  type SupportedTypes,
  whyNotWritable,
} from '../rdata/record-types.js';
import { checkDescription } from './domain.js';
import { checkInteger, checkRequiredString, checkTtl, memberProblem } from './member.js';
import {
  checkAliasName,
  checkDelegatedName,
  checkDelegationName,
  checkPortName,
  checkRecordName,
  checkServiceName,
  checkSubstitutedName,
} from './record-name.js';

const MAX_PRIORITY = 65_535;
const TYPE_NAMES = { basic: BASIC_TYPE_NAMES, all: Object.keys(RECORD_TYPES) };

/** Members of a record that users write (DNS API s2), before validation. */
export interface RecordMembers {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
  readonly ttl?: unknown;
  readonly priority?: unknown;
  readonly description?: unknown;
}

/**
 * Finds all problems of a record of the zone `zoneName` (canonical) that are visible in the record itself (D-REC,
 * "Record"). The caller checks it against other records.
 *
 * @param known types that the client supports
 */
export function checkRecord(
  record: RecordMembers,
  zoneName: string,
  known: SupportedTypes = 'all',
): Problem[] {
  const { type } = record;
  return [
    ...checkRecordName(record.name, type, zoneName),
    ...checkType(type, known),
    ...(record.ttl === null ? [] : checkTtl(record.ttl)),
    ...checkDescription(record.description),
    ...(isRecordTypeName(type, known)
      ? checkForType(record, type, zoneName)
      : [...checkRequiredData(record.data), ...checkPriorityRange(record.priority)]),
  ];
}

function checkType(type: unknown, known: SupportedTypes): Problem[] {
  const names = TYPE_NAMES[known];
  if (typeof type !== 'string') {
    return checkRequiredString('type', type, `one of ${names.join(', ')}`);
  }
  if (isRecordTypeName(type, known)) {
    return [];
  }
  const upperCase = type.toUpperCase();
  const right = names.includes(upperCase) ? inQuotes(upperCase) : `one of ${names.join(', ')}`;
  const what = known === 'basic' ? `is not supported; write ${right}` : whyNotWritable(type, names);
  return [memberProblem('type', 'enum', `${inQuotes(type)} ${what}`)];
}

function checkForType(record: RecordMembers, name: string, zoneName: string): Problem[] {
  const type = findRecordType(name);
  if (type === undefined) return [];
  return [
    ...(typeof record.name === 'string' ? checkNameForType(record.name, name, zoneName) : []),
    ...checkData(record.data, type, zoneName),
    ...checkPriority(record.priority, name, type),
  ];
}

function checkNameForType(text: string, type: string, zoneName: string): Problem[] {
  // An escape may hide an asterisk or an underscore.
  const name = text.includes('\\') ? (findAsciiDomainName(text) ?? text) : text;
  if (type === 'SRV') return checkServiceName(name, zoneName);
  if (type === 'TLSA') return checkPortName(name, zoneName);
  if (type === 'CNAME') return checkAliasName(name, zoneName);
  if (type === 'DNAME') return checkSubstitutedName(name, zoneName);
  if (type === 'NS') return checkDelegationName(name, zoneName);
  return type === 'DS' ? checkDelegatedName(name, zoneName) : [];
}

function checkData(data: unknown, type: RecordType, zoneName: string): Problem[] {
  if (typeof data !== 'string') return checkRequiredData(data);
  // The length is checked before the text is parsed.
  if (data.length <= MAX_TEXT_CHARACTERS) return type.checkData(data, zoneName);
  const what = `has ${data.length} characters; the maximum is ${MAX_TEXT_CHARACTERS}`;
  return [memberProblem('data', 'maxLength', what)];
}

function checkRequiredData(data: unknown): Problem[] {
  return typeof data === 'string' ? [] : checkRequiredString('data', data, "the record's value");
}

function checkPriority(priority: unknown, type: string, { needsPriority }: RecordType): Problem[] {
  const isGiven = priority !== undefined && priority !== null;
  if (needsPriority) {
    const what = `is required for ${type}; write an integer from 0 to ${MAX_PRIORITY}`;
    return isGiven ? checkPriorityRange(priority) : [memberProblem('priority', 'required', what)];
  }
  const what = `is not allowed for ${type}; leave it out or write null`;
  return isGiven ? [memberProblem('priority', 'disallowed', what)] : [];
}

function checkPriorityRange(priority: unknown): Problem[] {
  return priority === undefined || priority === null
    ? []
    : checkInteger('priority', priority, MAX_PRIORITY);
}
