import { checkRecord, type RecordTypeName, toAsciiDomainName } from '@zonewright/dns-records';
import type { Clock, Problem } from '@zonewright/service-kit';
import { checkZoneContent } from '../domains/zone-content.js';
import { checkAlias, checkDuplicate, checkRrsetSize } from '../checks/rrset.js';
import { TYPES_OF_PRIMARY } from '../write/commit/incoming-store.js';
import { toFutureNames } from '../checks/future-names.js';
import { completeContent, type ZoneRecord } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import type { Timestamp } from '../rows/statements.js';
import type { DomainPart, RecordPart } from './export-store.js';

/** Domain to import, with its records. */
export interface MovedDomain extends Omit<DomainPart, 'records'> {
  readonly records: readonly ZoneRecord[];
}

/**
 * Checks a domain and its records by those rules of the DNS API that need no other data. Rules about other domains and
 * mail targets apply only to new records, not to records that were written elsewhere long ago.
 *
 * A secondary domain is imported with the records that remain when its primaries are removed.
 *
 * @param records in order; undefined for an entry that is not a record
 */
export async function readDomain(
  part: Omit<DomainPart, 'records'>,
  records: readonly (RecordPart | undefined)[],
  clock: Clock,
): Promise<{ domain: MovedDomain; problems: readonly Problem[] }> {
  const now = clock.now();
  const ofZone = checkZoneContent(part);
  if (ofZone.length > 0) return { domain: { ...part, records: [] }, problems: ofZone };
  const name = toAsciiDomainName(part.name);
  const { displayName = part.name } = part;
  const problems = checkDisplayName(part, name);
  const isSecondary = records.some((record) => record?.type === 'SOA');
  const changes = records.flatMap((record, index) => {
    if (record === undefined || (isSecondary && isOfPrimary(record, name))) return [];
    const found = checkRecord(record, name);
    if (found.length === 0) {
      return [
        { index, before: undefined, after: toRecord(record, part.id, timestampAt(now, index)) },
      ];
    }
    problems.push(...found.map((problem) => atRecord(index, problem)));
    return [];
  });
  const facts = { zone: { signingState: null }, future: await toFutureNames(changes, []) };
  for (const change of changes) {
    const violations = RULES.flatMap((rule) => rule(facts, change));
    for (const { problem } of violations) problems.push(atRecord(change.index, problem));
  }
  const moved = changes.map(({ after }) => after);
  return { domain: { ...part, name, displayName, records: moved }, problems };
}

function checkDisplayName({ displayName }: Omit<DomainPart, 'records'>, name: string): Problem[] {
  if (displayName === undefined || displayName.toLowerCase() === name) return [];
  const message = `displayName must be ${JSON.stringify(name)} in other letter case.`;
  return [{ path: 'displayName', validator: 'format', message }];
}

/** Whether a record of a secondary domain is removed with its primaries, as when a user removes them. */
function isOfPrimary({ type, name }: RecordPart, zoneName: string): boolean {
  if (TYPES_OF_PRIMARY.includes(type)) return true;
  return type === 'NS' && toAsciiDomainName(name) === zoneName;
}

/** Rules that need only the records themselves. */
const RULES = [checkAlias, checkDuplicate, checkRrsetSize] as const;

function atRecord(index: number, problem: Problem): Problem {
  return { ...problem, path: `records[${index}].${problem.path}` };
}

/** Converts a valid part to a record. */
function toRecord(part: RecordPart, zoneId: string, now: Timestamp): ZoneRecord {
  const { ttl = null, priority = null, description = null, flags, updatedAt } = part;
  const content = completeContent({
    name: toAsciiDomainName(part.name),
    type: part.type as RecordTypeName,
    data: part.data,
    ttl,
    priority,
    description,
  });
  return {
    ...content,
    flags: RECORD_FLAGS.some(flags),
    id: part.id,
    zoneId,
    version: part.version ?? 1,
    createdAt: toTimestamp(part.createdAt) ?? now,
    updatedAt: toTimestamp(updatedAt) ?? null,
  };
}

/** Returns the time with microseconds. Records with the same creation time are listed in the order of the document. */
function timestampAt(ms: number, microseconds: number): Timestamp {
  const time = new Date(ms + Math.floor(microseconds / 1_000)).toISOString().slice(0, -1);
  return time + String(microseconds % 1_000).padStart(3, '0');
}

/** Converts RFC 3339 in UTC to the form of rows: with microseconds and without a time zone. */
export function toTimestamp(time: string | null | undefined): Timestamp | undefined {
  if (time === null || time === undefined) return undefined;
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}
