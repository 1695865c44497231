import {
  checkRecord,
  isRecordTypeName,
  iterateZoneText,
  type ZoneTextRecord,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import type { Zone } from '../domains/zone.js';
import type { RecordContent } from '../records/record.js';
import { completeContent } from '../records/record-form.js';
import { invalidRequest, MAX_PROBLEMS } from '../problem.js';
import { forEachInSlices, Slices } from '../slices.js';

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

/** A file may hold so many records more than the zone may: its SOA and NS records, and some twice. */
const SPARE_RECORDS = 1_000;
/** Signatures and the like: so many lines for each record may be of types that are not taken. */
const PROBLEMS_PER_RECORD = 3;
/** The reasons of more lines are not kept: nobody is told them. */
const MAX_REASONS = 1_000;

interface ReadOptions {
  readonly origin: string;
  /** How many records the zone may have. */
  readonly maxRecords: number;
}

/**
 * The records of a zone file, in slices with the work of other requests. Reading stops where the file holds more than can
 * become of it, so that it takes what the zone may cost and not what the file does.
 *
 * @throws ServiceError `over-quota` or `invalid`.
 */
export async function parseZoneFile(
  text: string,
  { origin, maxRecords }: ReadOptions,
): Promise<{ records: ZoneTextRecord[]; notTaken: LineNotTaken[] }> {
  const records: ZoneTextRecord[] = [];
  const notTaken: LineNotTaken[] = [];
  const most = maxRecords + SPARE_RECORDS;
  const slices = new Slices();
  for (const item of iterateZoneText(text, { origin, defaultTtl: 3_600 })) {
    if (slices.isOver) await slices.next();
    if ('record' in item) records.push(item.record);
    else if ('problem' in item) note(notTaken, item.problem.line, item.problem.message);
    if (records.length > most) throw tooManyRecords(most, maxRecords);
    if (notTaken.length > most * PROBLEMS_PER_RECORD) throw tooManyProblems(notTaken);
  }
  return { records, notTaken };
}

function tooManyRecords(most: number, maxRecords: number): ServiceError {
  return new ServiceError(
    'over-quota',
    `The file has more than ${most} records; the domain may have ${maxRecords}.`,
  );
}

function tooManyProblems(notTaken: readonly LineNotTaken[]): ServiceError {
  return invalidRequest(
    notTaken.slice(0, MAX_PROBLEMS + 1).map(({ line, reason }) => ({
      path: 'zonefile',
      validator: 'format',
      message: `line ${line}: ${reason}`,
    })),
  );
}

function note(notTaken: LineNotTaken[], line: number, reason: string): void {
  notTaken.push({ line, reason: notTaken.length < MAX_REASONS ? reason : 'As above.' });
}

/** Which of a file's records can stand in a zone, each on its own. */
export async function selectRecords(
  zone: Pick<Zone, 'name' | 'ttl'>,
  records: readonly ZoneTextRecord[],
): Promise<{ taken: FileRecord[]; notTaken: LineNotTaken[] }> {
  const taken: FileRecord[] = [];
  const notTaken: LineNotTaken[] = [];
  const seen = new Map<string, number>();
  await forEachInSlices(records, (record) => {
    const content = toContent(zone, record);
    const key = typeof content === 'string' ? '' : contentKey(content);
    const twin = seen.get(key);
    if (typeof content === 'string') note(notTaken, record.line, content);
    else if (twin !== undefined) {
      note(notTaken, record.line, `The record stands in line ${twin} already.`);
    } else {
      seen.set(key, record.line);
      taken.push({ line: record.line, content });
    }
  });
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
