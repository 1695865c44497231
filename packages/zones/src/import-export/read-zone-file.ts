import {
  checkRecord,
  isRecordTypeName,
  iterateZoneText,
  type ZoneTextRecord,
} from '@zonewright/dns-records';
import {
  forEachInSlices,
  invalidRequest,
  MAX_PROBLEMS,
  ServiceError,
  Slices,
} from '@zonewright/service-kit';
import type { Zone } from '../rows/zone.js';
import { completeContent } from '../rows/record.js';
import type { RecordContent } from '../rows/record.js';
import type { SkippedLine } from './import-request.js';

/** Record of a zone file that may be imported. */
export interface FileRecord {
  readonly line: number;
  readonly content: RecordContent;
  /** Whether the record is kept if the zone has it, but not added otherwise. */
  readonly isKeptOnly: boolean;
}

/** Records that a zone file may add to a zone. */
export interface SelectedRecords {
  readonly taken: readonly FileRecord[];
  readonly notTaken: readonly SkippedLine[];
}

/** An SOA record whose data is not valid. */
interface InvalidSoa {
  readonly owner: string;
  readonly line: number;
  readonly reason: string;
}

interface ParsedFile {
  readonly records: readonly ZoneTextRecord[];
  readonly notTaken: readonly SkippedLine[];
  /** The first of the file. */
  readonly invalidSoa: InvalidSoa | undefined;
}

type Refusal = Omit<SkippedLine, 'line'>;

/** Maximum number of records in a file above the limit of the zone, such as SOA, NS and duplicates. */
const SPARE_RECORDS = 1_000;
/** Maximum number of lines for each record whose types are not imported, such as signatures. */
const PROBLEMS_PER_RECORD = 3;
/** Maximum number of stored reasons. More are never shown. */
const MAX_REASONS = 1_000;

interface ReadOptions {
  readonly origin: string;
  /** TTL of records for which the file states none (RFC 1035 section 5.1). */
  readonly fallbackTtl: number;
  /** Maximum number of records in the zone. */
  readonly maxRecords: number;
}

/**
 * Reads the records of a zone file, in slices between which other requests are served. Reading stops when the file has
 * more records than the zone can have, so the cost depends on the zone's limit and not on the file.
 *
 * @throws ServiceError `over-quota` or `invalid`
 */
export async function parseZoneFile(
  text: string,
  { origin, fallbackTtl, maxRecords }: ReadOptions,
): Promise<ParsedFile> {
  const records: ZoneTextRecord[] = [];
  let invalidSoa: InvalidSoa | undefined;
  const notTaken: SkippedLine[] = [];
  const most = maxRecords + SPARE_RECORDS;
  const slices = new Slices();
  for (const item of iterateZoneText(text, { origin, fallbackTtl })) {
    if (slices.isOver) await slices.next();
    if ('record' in item) records.push(item.record);
    else if ('problem' in item) {
      const { line, code, message: reason, soaOwner: owner } = item.problem;
      if (owner !== undefined) invalidSoa ??= { owner, line, reason };
      const severity = code === 'syntax' ? 'error' : 'warning';
      note(notTaken, { line, reason, severity, code });
    }
    if (records.length > most) throw tooManyRecords(most, maxRecords);
    if (notTaken.length > most * PROBLEMS_PER_RECORD) throw tooManyProblems(notTaken);
  }
  return { records, notTaken, invalidSoa };
}

function tooManyRecords(most: number, maxRecords: number): ServiceError {
  return new ServiceError(
    'over-quota',
    `The file has more than ${most} records; the domain may have ${maxRecords}.`,
  );
}

function tooManyProblems(notTaken: readonly SkippedLine[]): ServiceError {
  return invalidRequest(
    notTaken.slice(0, MAX_PROBLEMS + 1).map(({ line, reason }) => ({
      path: 'zonefile',
      validator: 'format',
      message: `line ${line}: ${reason}`,
    })),
  );
}

function note(notTaken: SkippedLine[], each: SkippedLine): void {
  notTaken.push(notTaken.length < MAX_REASONS ? each : { ...each, reason: 'As above.' });
}

/**
 * Selects the records of a file that a zone may contain. Each record is checked by itself.
 *
 * @param ownServers names of the nameservers of this service
 */
export async function selectRecords(
  zone: Pick<Zone, 'name' | 'ttl'>,
  records: readonly ZoneTextRecord[],
  ownServers: readonly string[],
): Promise<SelectedRecords> {
  const taken: FileRecord[] = [];
  const notTaken: SkippedLine[] = [];
  const seen = new Map<string, number>();
  const own = new Set(ownServers);
  // A file from another service contains its nameservers, which must no longer be used.
  const isFromHere = records.some(
    (record) => isApexNs(zone, record) && own.has(record.data.toLowerCase()),
  );
  await forEachInSlices(records, (record) => {
    const { line } = record;
    const content = toContent(zone, record, own);
    if ('reason' in content) {
      note(notTaken, { line, ...content });
      return;
    }
    const key = contentKey(content);
    const twin = seen.get(key);
    if (twin !== undefined) {
      const reason = `The record is already in line ${twin}.`;
      note(notTaken, { line, reason, severity: 'info', code: 'duplicate' });
      return;
    }
    seen.set(key, line);
    taken.push({ line, content, isKeptOnly: isApexNs(zone, record) && !isFromHere });
  });
  return { taken, notTaken };
}

/** Returns a key that is equal for records of which a zone can contain only one. */
export function contentKey({ name, type, digest }: RecordContent): string {
  return `${name} ${type} ${digest.toString('base64')}`;
}

function isApexNs({ name }: Pick<Zone, 'name'>, { type, ownerName }: ZoneTextRecord): boolean {
  return type === 'NS' && ownerName === name;
}

/** Returns the content of a record, or the reason why it is not imported. */
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
    // Store the default TTL as null.
    ttl: ttl === zone.ttl ? null : ttl,
    description: null,
  });
}
