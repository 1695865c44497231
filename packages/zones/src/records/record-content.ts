import {
  checkRecord,
  type RecordTypeName,
  type SupportedTypes,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import type { Problem } from '@zonewright/service-kit';
import { type InputMembers, invalidRecord } from '../request/rules.js';
import {
  completeContent,
  NO_FLAGS,
  type RecordContent,
  type RecordFlags,
  type ZoneRecord,
} from '../rows/record.js';
import type { Timestamp } from '../rows/statements.js';

/**
 * The content of a new record.
 *
 * @param known the types that whoever writes it may write.
 * @throws ServiceError `invalid` with all problems.
 */
export function newRecordContent(
  { values, problems }: InputMembers,
  zoneName: string,
  known: SupportedTypes,
  stored?: Pick<ZoneRecord, 'name' | 'type' | 'flags'>,
): RecordContent {
  const { flags, problems: ofFlags } = readFlags(values, stored?.flags);
  const staysInPlace = values['name'] === stored?.name && values['type'] === stored?.type;
  // A primary may have given a name that no request could; it stays until it is changed.
  const ofRecord = checkRecord(values, zoneName, known).filter(
    ({ path }) => stored === undefined || !staysInPlace || path !== 'name',
  );
  const all = [...problems, ...ofRecord, ...ofFlags];
  if (all.length > 0) throw invalidRecord(all);
  // The checks above have shown that these are what they are taken for.
  const { name, type, data } = values as { name: string; type: RecordTypeName; data: string };
  const { ttl, priority, description } = values as Partial<ZoneRecord>;
  return completeContent({
    name: staysInPlace ? name : toAsciiDomainName(name),
    type,
    data,
    ttl: ttl ?? null,
    priority: priority ?? null,
    description: description ?? null,
    flags,
  });
}

/**
 * The content of a record that is there: what the draft leaves out stays as it is.
 *
 * @throws ServiceError `invalid` with all problems of the merged record.
 */
export function changedRecordContent(
  { values, problems }: InputMembers,
  stored: ZoneRecord,
  { zoneName, known }: { readonly zoneName: string; readonly known: SupportedTypes },
): RecordContent {
  const { name, type, data, ttl, priority, description } = stored;
  const merged = { name, type, data, ttl, priority, description, ...values };
  return newRecordContent({ values: merged, problems }, zoneName, known, stored);
}

/** Flags of a record in a request, not yet checked. */
type FlagValues = Readonly<Record<string, unknown>>;

/** The members by which it does. */
export const FLAG_MEMBERS = ['disabled', 'expires_at', 'tags'] as const;

const MAX_TAGS = 20;
/** Visible, and what a list of them in a query or on a command line can hold. */
const TAG = /^[^\s,\p{C}]{1,40}$/u;
/** RFC 3339, of which the zone may be missing: times of this API are UTC. */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?$/i;

/** The flags that a record is to have: undefined where nothing is said of them; what is left out stays as it is. */
function readFlags(
  values: FlagValues,
  stored: RecordFlags = NO_FLAGS,
): { readonly flags: RecordFlags | undefined; readonly problems: readonly Problem[] } {
  if (!FLAG_MEMBERS.some((member) => values[member] !== undefined)) {
    return { flags: undefined, problems: [] };
  }
  const { disabled = stored.disabled, expires_at: end = stored.expiresAt, tags } = values;
  const problems: Problem[] = [];
  const expiresAt = readEnd(end, stored, problems);
  const ownTags = tags === undefined ? stored.tags : readTags(tags);
  if (typeof disabled !== 'boolean') {
    const message = 'disabled must be true or false.';
    problems.push({ path: 'disabled', validator: 'type', message });
  }
  if (ownTags === undefined) {
    const message = `tags must be an array of at most ${MAX_TAGS} texts of 1 to 40 characters without spaces and commas.`;
    problems.push({ path: 'tags', validator: 'format', message });
  }
  if (problems.length > 0) return { flags: undefined, problems };
  return { flags: { disabled, expiresAt, tags: ownTags } as RecordFlags, problems };
}

/** An end that the record has already may have come meanwhile. */
function readEnd(
  value: unknown,
  stored: RecordFlags,
  problems: Problem[],
): Timestamp | null | undefined {
  if (value === null) return null;
  const end = readTime(value);
  if (end === undefined) {
    const message =
      'expires_at must be null or a time such as 2030-01-31T12:00:00Z; without a zone it is UTC.';
    problems.push({ path: 'expires_at', validator: 'format', message });
  } else if (end !== stored.expiresAt && end <= nowText()) {
    const message = `expires_at is ${end} UTC, which is over; write a time to come, or null.`;
    problems.push({ path: 'expires_at', validator: 'future', message });
  }
  return end;
}

/** Whether a value is what a row has, as an exported account says it. */
export function isRecordFlags(value: unknown): value is RecordFlags {
  if (typeof value !== 'object' || value === null) return false;
  const { disabled, expiresAt, tags, ...rest } = value as Record<string, unknown>;
  return (
    Object.keys(rest).length === 0 &&
    typeof disabled === 'boolean' &&
    (expiresAt === null || readTime(expiresAt) === expiresAt) &&
    readTags(tags)?.join() === (tags as string[]).join()
  );
}

function readTime(value: unknown): Timestamp | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(value);
  const time = new Date(hasZone ? value : `${value}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  const fraction = /\.(\d{1,6})/.exec(value)?.[1] ?? '';
  const text = time.toISOString();
  // Years of five digits have a sign.
  return text.length === 24 ? `${text.slice(0, 19)}.${fraction.padEnd(6, '0')}` : undefined;
}

function nowText(): Timestamp {
  return `${new Date().toISOString().slice(0, -1)}000`;
}

function readTags(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_TAGS) return undefined;
  if (!value.every((tag): tag is string => typeof tag === 'string' && TAG.test(tag))) {
    return undefined;
  }
  return [...new Set(value)].sort();
}
