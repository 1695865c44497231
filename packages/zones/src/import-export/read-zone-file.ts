import { checkRecord, isRecordTypeName, type ZoneTextRecord } from '@zonewright/dns-records';
import { forEachInSlices } from '@zonewright/service-kit';
import type { RecordContent } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import { completeContent } from '../rows/record.js';
import type { Zone } from '../rows/zone.js';
import type { RecordExtras } from './form-entry.js';
import type { SkippedLine } from './import-request.js';
import { note, type ReadRecord } from './read-file.js';

/** Record of a zone file that may be imported. */
export interface FileRecord {
  readonly line: number;
  readonly content: RecordContent;
  readonly key: string;
  /** Whether the record is kept if the zone has it, but not added otherwise. */
  readonly isKeptOnly: boolean;
}

/** Records that a file may add to a zone. */
export interface SelectedRecords {
  readonly taken: readonly FileRecord[];
  readonly notTaken: readonly SkippedLine[];
  /** Warnings about records that are imported. */
  readonly notes: readonly SkippedLine[];
}

type Refusal = Omit<SkippedLine, 'line'>;

/**
 * Selects the records of a file that a zone may contain. Each record is checked separately.
 *
 * @param ownServers names of this service's nameservers
 */
export async function selectRecords(
  zone: Pick<Zone, 'name' | 'ttl'>,
  records: readonly ReadRecord[],
  ownServers: readonly string[],
): Promise<SelectedRecords> {
  const taken: FileRecord[] = [];
  const notTaken: SkippedLine[] = [];
  const notes: SkippedLine[] = [];
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
      const reason = `The record is the same as in line ${twin}.`;
      note(notTaken, { line, reason, severity: 'info', code: 'duplicate' });
      return;
    }
    seen.set(key, line);
    taken.push({ line, content, key, isKeptOnly: isApexNs(zone, record) && !isFromHere });
    if (record.extras?.isProxied === true) note(notes, { line, ...proxied(content) });
  });
  return { taken, notTaken, notes };
}

function proxied({ name, type, data }: RecordContent): Refusal {
  const reason = `A proxy currently hides the origin of ${name}. The ${type} record makes ${data} public.`;
  return { reason, severity: 'warning', code: 'proxied' };
}

/** Returns a key that is equal for records of which a zone can contain only one. */
export function contentKey({ name, type, digest }: RecordContent): string {
  return `${name} ${type} ${digest.toString('latin1')}`;
}

function isApexNs({ name }: Pick<Zone, 'name'>, { type, ownerName }: ZoneTextRecord): boolean {
  return type === 'NS' && ownerName === name;
}

/** Returns the content of a record, or the reason why it is not imported. */
function toContent(
  zone: Pick<Zone, 'name' | 'ttl'>,
  record: ReadRecord,
  ownServers: ReadonlySet<string>,
): RecordContent | Refusal {
  const { ownerName: name, type, data, priority, ttl, rdata, extras } = record;
  if (type === 'SOA') {
    const reason = 'The service creates the SOA record.';
    return { reason, severity: 'info', code: 'soa' };
  }
  if (isApexNs(zone, record) && ownServers.has(data.toLowerCase())) {
    const reason = 'The service creates the NS records of its own nameservers.';
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
  const { description, flags } = readExtras(extras);
  // The default TTL is stored as null.
  const ownTtl = ttl === zone.ttl ? null : ttl;
  return completeContent({ name, type, data, priority, ttl: ownTtl, description, flags }, rdata);
}

const MAX_DESCRIPTION_CHARACTERS = 160;
const MAX_TAGS = 20;

/**
 * Returns the description and tags that a record may have. Other providers' comments may be longer, and their tags may
 * contain blanks.
 */
function readExtras(extras: RecordExtras | undefined) {
  if (extras === undefined) return { description: null, flags: undefined };
  const { description = '', tags = [] } = extras;
  const letters = Array.from(description.replaceAll(/\p{C}/gu, ' '));
  const text = letters.slice(0, MAX_DESCRIPTION_CHARACTERS).join('');
  const valid = tags
    .map((tag) => tag.replaceAll(/\s/g, '-'))
    .filter((tag) => RECORD_FLAGS.read({ tags: [tag] }).flags !== undefined);
  return {
    description: text === '' ? null : text,
    flags: RECORD_FLAGS.read({ tags: valid.length === 0 ? undefined : valid.slice(0, MAX_TAGS) })
      .flags,
  };
}
