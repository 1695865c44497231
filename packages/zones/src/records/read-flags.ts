import type { Problem } from '@zonewright/service-kit';
import { NO_FLAGS, type RecordFlags } from '../rows/record-flags.js';
import type { Timestamp } from '../sql/timestamps.js';

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
export function readFlags(
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
