import { inQuotes } from '../problems/in-quotes.js';
import type { Problem } from '../problems/problem.js';
import { MAX_TEXT_CHARACTERS } from '../rdata/quoted-strings.js';
import { isRecordTypeName, RECORD_TYPES, type RecordTypeName } from '../rdata/record-types.js';
import { checkDescription } from './description.js';
import { checkInteger } from './integer.js';
import { checkRequiredString, memberProblem } from './member.js';
import { checkAliasName, checkRecordName, checkServiceName } from './record-name.js';
import { checkTtl } from './ttl.js';

const MAX_PRIORITY = 65_535;
const TYPE_NAMES = Object.keys(RECORD_TYPES).join(', ');

/** The members of a record that users write (DNS API s2), as they came. */
export interface RecordMembers {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly data?: unknown;
  readonly ttl?: unknown;
  readonly priority?: unknown;
  readonly description?: unknown;
}

/**
 * All that is wrong with a record of the zone `zoneName` (canonical), as far as the record itself
 * shows it (decisions 3, "Record"). Rules that look at other records are the caller's.
 */
export function checkRecord(record: RecordMembers, zoneName: string): Problem[] {
  const { type } = record;
  return [
    ...checkRecordName(record.name, zoneName),
    ...checkType(type),
    ...(record.ttl === null ? [] : checkTtl(record.ttl)),
    ...checkDescription(record.description),
    ...(isRecordTypeName(type)
      ? checkForType(record, type, zoneName)
      : [...checkRequiredData(record.data), ...checkPriorityRange(record.priority)]),
  ];
}

function checkType(type: unknown): Problem[] {
  if (typeof type !== 'string') {
    return checkRequiredString('type', type, `one of ${TYPE_NAMES}`);
  }
  if (isRecordTypeName(type)) {
    return [];
  }
  const upperCase = type.toUpperCase();
  const right = isRecordTypeName(upperCase) ? inQuotes(upperCase) : `one of ${TYPE_NAMES}`;
  return [memberProblem('type', 'enum', `${inQuotes(type)} is not supported; write ${right}`)];
}

function checkForType(record: RecordMembers, type: RecordTypeName, zoneName: string): Problem[] {
  return [
    ...(typeof record.name === 'string' ? checkNameForType(record.name, type, zoneName) : []),
    ...checkData(record.data, type, zoneName),
    ...checkPriority(record.priority, type),
  ];
}

function checkNameForType(name: string, type: RecordTypeName, zoneName: string): Problem[] {
  if (type === 'SRV') return checkServiceName(name, zoneName);
  if (type === 'CNAME') return checkAliasName(name, zoneName);
  return [];
}

function checkData(data: unknown, type: RecordTypeName, zoneName: string): Problem[] {
  if (typeof data !== 'string') return checkRequiredData(data);
  // Before anything is made of it.
  if (data.length <= MAX_TEXT_CHARACTERS) return RECORD_TYPES[type].checkData(data, zoneName);
  const what = `has ${data.length} characters; ${MAX_TEXT_CHARACTERS} is the most`;
  return [memberProblem('data', 'maxLength', what)];
}

function checkRequiredData(data: unknown): Problem[] {
  return typeof data === 'string' ? [] : checkRequiredString('data', data, "the record's value");
}

function checkPriority(priority: unknown, type: RecordTypeName): Problem[] {
  const isGiven = priority !== undefined && priority !== null;
  if (RECORD_TYPES[type].needsPriority) {
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
