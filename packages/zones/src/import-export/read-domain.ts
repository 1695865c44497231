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

/** A domain with its records that may be taken over. */
export interface MovedDomain extends Omit<DomainPart, 'records'> {
  readonly records: readonly ZoneRecord[];
}

/**
 * Checks a domain and its records by the rules of the DNS API that need no other data. Rules about other domains and mail targets
 * apply to new records, not to records that were written elsewhere long ago.
 *
 * A secondary domain arrives with the records that are left when its primaries are removed.
 *
 * @param records in their places; undefined for an entry without the form of a record
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
  const problems: Problem[] = [];
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
  return { domain: { ...part, name, records: changes.map(({ after }) => after) }, problems };
}

/** Whether a record of a secondary domain ends with its primaries, as it does when a user removes these. */
function isOfPrimary({ type, name }: RecordPart, zoneName: string): boolean {
  if (TYPES_OF_PRIMARY.includes(type)) return true;
  return type === 'NS' && toAsciiDomainName(name) === zoneName;
}

/** Rules that need no other zone and no other state than the records themselves. */
const RULES = [checkAlias, checkDuplicate, checkRrsetSize] as const;

function atRecord(index: number, problem: Problem): Problem {
  return { ...problem, path: `records[${index}].${problem.path}` };
}

/** Its members have passed the checks. */
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

/** Records that begin together are listed in the order of the document. */
function timestampAt(ms: number, microseconds: number): Timestamp {
  const time = new Date(ms + Math.floor(microseconds / 1_000)).toISOString().slice(0, -1);
  return time + String(microseconds % 1_000).padStart(3, '0');
}

/** RFC 3339 in UTC as rows have it: microseconds, and no zone. */
export function toTimestamp(time: string | null | undefined): Timestamp | undefined {
  if (time === null || time === undefined) return undefined;
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}
