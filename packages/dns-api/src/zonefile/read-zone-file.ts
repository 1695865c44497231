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

/** A line of a zone file that is not taken, and why. */
export interface LineNotTaken {
  readonly line: number;
  readonly reason: string;
}

/** A record of a zone file that may be taken. */
export interface FileRecord {
  readonly line: number;
  readonly content: RecordContent;
}

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
    else notTaken.push({ line: item.problem.line, reason: item.problem.message });
    if ((records.length + notTaken.length) % RECORDS_PER_TURN === 0) await nextTurn();
  }
  return { records, notTaken };
}

/** Which of a file's records can stand in a zone, each on its own. */
export async function selectRecords(
  zone: Pick<Zone, 'name' | 'ttl'>,
  records: readonly ZoneTextRecord[],
): Promise<{ taken: FileRecord[]; notTaken: LineNotTaken[] }> {
  const taken: FileRecord[] = [];
  const notTaken: LineNotTaken[] = [];
  const seen = new Map<string, number>();
  for (const [at, record] of records.entries()) {
    if (at % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn();
    const content = toContent(zone, record);
    const key = typeof content === 'string' ? '' : contentKey(content);
    const twin = seen.get(key);
    if (typeof content === 'string') notTaken.push({ line: record.line, reason: content });
    else if (twin !== undefined) {
      notTaken.push({ line: record.line, reason: `The record stands in line ${twin} already.` });
    } else {
      seen.set(key, record.line);
      taken.push({ line: record.line, content });
    }
  }
  return { taken, notTaken };
}

/** Equal for records of which a zone can hold only one. */
export function contentKey({ name, type, digest }: RecordContent): string {
  return `${name} ${type} ${digest.toString('base64')}`;
}

/** The content of a record, or the reason why it is not taken. */
function toContent(
  zone: Pick<Zone, 'name' | 'ttl'>,
  record: ZoneTextRecord,
): RecordContent | string {
  const { ownerName: name, type, data, priority, ttl } = record;
  const isApex = name === zone.name;
  if (type === 'SOA') return 'The service writes the SOA record itself.';
  if (type === 'NS' && isApex)
    return "The domain's NS records are the nameservers of this service.";
  if (!isRecordTypeName(type)) return `The type ${type} is not supported.`;
  const problems = checkRecord({ name, type, data, priority, ttl }, zone.name);
  if (problems.length > 0) return problems.map(({ message }) => message).join(' ');
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
