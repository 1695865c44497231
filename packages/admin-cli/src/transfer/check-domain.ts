import { createHash } from 'node:crypto';
import {
  canonicalRdata,
  checkDescription,
  checkEmail,
  checkRecord,
  checkTtl,
  rdataToWire,
  type RecordTypeName,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import { checkZoneName } from '@zonewright/dns-records/zone-names';
import type { DomainPart, RecordPart } from './account-document.js';
import { checkMembers } from './check-members.js';
import { PART_RULES } from './document-rules.js';
import type { ProblemList } from './problem-list.js';

/** A record as it is stored: canonical name and wire forms besides what was written. */
export interface StoredRecord extends RecordPart {
  readonly type: RecordTypeName;
  readonly rdata: Buffer;
  readonly digest: Buffer;
}

export interface StoredDomain extends Omit<DomainPart, 'records'> {
  readonly records: readonly StoredRecord[];
}

interface Place {
  readonly place: string;
  readonly problems: ProblemList;
  /** Ids of records that the document has had so far. */
  readonly recordIds: Set<string>;
}

/** What the DNS API asks of a domain and its records (decisions 3), as far as they show it themselves. */
export function checkDomain(part: DomainPart, at: Place): StoredDomain | undefined {
  const before = at.problems.count;
  const { name, email, ttl, description } = part;
  for (const problem of [
    ...checkZoneName(name),
    ...checkEmail(email),
    ...checkTtl(ttl),
    ...checkDescription(description),
  ]) {
    at.problems.add(`${at.place}.${problem.path}`, problem.message);
  }
  if (at.problems.count > before) return undefined;
  const zoneName = toAsciiDomainName(name);
  const records = part.records.flatMap((record, index) => {
    const place = `${at.place}.records[${index}]`;
    return toStoredRecord(record, zoneName, { ...at, place }) ?? [];
  });
  checkNeighbours(records, at);
  return at.problems.count > before ? undefined : { ...part, name: zoneName, records };
}

function toStoredRecord(record: RecordPart, zoneName: string, at: Place): StoredRecord | undefined {
  if (!checkMembers(record, PART_RULES.records, at)) return undefined;
  const problems = checkRecord(record, zoneName);
  for (const { path, message } of problems) at.problems.add(`${at.place}.${path}`, message);
  if (at.recordIds.has(record.id)) at.problems.add(`${at.place}.id`, 'stands there twice');
  at.recordIds.add(record.id);
  if (problems.length > 0) return undefined;
  const type = record.type as RecordTypeName;
  const rdata = rdataToWire(type, record.data, record.priority ?? null);
  const digest = createHash('sha256').update(canonicalRdata(type, rdata)).digest();
  return {
    ...record,
    type,
    name: toAsciiDomainName(record.name),
    rdata: Buffer.from(rdata),
    digest,
  };
}

/** RFC 1034 s3.6.2: an alias stands alone; decisions 3: no record twice. */
function checkNeighbours(records: readonly StoredRecord[], { place, problems }: Place): void {
  const count = new Map<string, number>();
  const aliases = new Set<string>();
  const seen = new Set<string>();
  for (const { name, type, digest } of records) {
    count.set(name, (count.get(name) ?? 0) + 1);
    if (type === 'CNAME') aliases.add(name);
    const key = `${name} ${type} ${digest.toString('base64')}`;
    if (seen.has(key)) problems.add(`${place}.records`, `hold a ${type} record of ${name} twice`);
    seen.add(key);
  }
  for (const name of aliases) {
    if ((count.get(name) ?? 0) < 2) continue;
    problems.add(
      `${place}.records`,
      `hold others beside the CNAME record of ${name}, which stands alone at its name`,
    );
  }
}
