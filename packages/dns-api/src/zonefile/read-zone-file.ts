import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  checkRecord,
  isRecordTypeName,
  iterateZoneText,
  type ZoneTextRecord,
} from '@zonewright/dns-records';
import type { Zone } from '../domains/zone.js';
import type { RecordContent } from '../records/record.js';
import { completeContent } from '../records/record-form.js';
import type { LineNotTaken } from './line-not-taken.js';

/** A record of a zone file that may be taken. */
export interface FileRecord {
  readonly line: number;
  readonly content: RecordContent;
  /** It is kept where the zone has it, and not brought into one that lacks it. */
  readonly isKeptOnly: boolean;
}

type Refusal = Omit<LineNotTaken, 'line'>;

/** Other requests get their turn after so many records. */
const RECORDS_PER_TURN = 1_000;

/** The records of a zone file. Long files are read in turns with other work. */
export async function parseZoneFile(
  text: string,
  origin: string,
): Promise<{ records: ZoneTextRecord[]; notTaken: LineNotTaken[] }> {
  const records: ZoneTextRecord[] = [];
  const notTaken: LineNotTaken[] = [];
  for (const item of iterateZoneText(text, { origin, defaultTtl: 3_600 })) {
    if ('record' in item) records.push(item.record);
    else {
      const { line, code, message: reason } = item.problem;
      notTaken.push({ line, reason, severity: code === 'syntax' ? 'error' : 'warning', code });
    }
    if ((records.length + notTaken.length) % RECORDS_PER_TURN === 0) await nextTurn();
  }
  return { records, notTaken };
}

/**
 * Which of a file's records can stand in a zone, each on its own.
 *
 * @param ownServers the names of the nameservers of this service.
 */
export async function selectRecords(
  zone: Pick<Zone, 'name' | 'ttl'>,
  records: readonly ZoneTextRecord[],
  ownServers: readonly string[],
): Promise<{ taken: FileRecord[]; notTaken: LineNotTaken[] }> {
  const taken: FileRecord[] = [];
  const notTaken: LineNotTaken[] = [];
  const seen = new Map<string, number>();
  const own = new Set(ownServers);
  // Who leaves another service brings a file with the nameservers of that one, which must not be asked any more.
  const isFromHere = records.some(
    (record) => isApexNs(zone, record) && own.has(record.data.toLowerCase()),
  );
  for (const [at, record] of records.entries()) {
    if (at % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn();
    const { line } = record;
    const content = toContent(zone, record, own);
    if ('reason' in content) {
      notTaken.push({ line, ...content });
      continue;
    }
    const key = contentKey(content);
    const twin = seen.get(key);
    if (twin !== undefined) {
      const reason = `The record stands in line ${twin} already.`;
      notTaken.push({ line, reason, severity: 'info', code: 'duplicate' });
      continue;
    }
    seen.set(key, line);
    taken.push({ line, content, isKeptOnly: isApexNs(zone, record) && !isFromHere });
  }
  return { taken, notTaken };
}

/** Equal for records of which a zone can hold only one. */
export function contentKey({ name, type, digest }: RecordContent): string {
  return `${name} ${type} ${digest.toString('base64')}`;
}

function isApexNs({ name }: Pick<Zone, 'name'>, { type, ownerName }: ZoneTextRecord): boolean {
  return type === 'NS' && ownerName === name;
}

/** The content of a record, or the reason why it is not taken. */
function toContent(
  zone: Pick<Zone, 'name' | 'ttl'>,
  record: ZoneTextRecord,
  ownServers: ReadonlySet<string>,
): RecordContent | Refusal {
  const { ownerName: name, type, data, priority, ttl } = record;
  if (type === 'SOA') {
    const reason = 'The service writes the SOA record itself.';
    return { reason, severity: 'info', code: 'soa' };
  }
  if (isApexNs(zone, record) && ownServers.has(data.toLowerCase())) {
    const reason = 'The service writes the NS records of its own nameservers itself.';
    return { reason, severity: 'info', code: 'service-ns' };
  }
  if (!isRecordTypeName(type)) {
    const reason = `The type ${type} is not supported.`;
    return { reason, severity: 'warning', code: 'unsupported-type' };
  }
  const problems = checkRecord({ name, type, data, priority, ttl }, zone.name);
  const [first] = problems;
  if (first !== undefined) {
    const reason = problems.map(({ message }) => message).join(' ');
    return { reason, severity: 'error', code: first.validator };
  }
  return completeContent({
    name,
    type,
    data,
    priority,
    // What is the zone's anyway follows the zone when that changes.
    ttl: ttl === zone.ttl ? null : ttl,
    description: null,
  });
}
