import { quoteString, readTextStrings } from '../fields/quoted-strings.js';
import { DnsSyntaxError } from '../values/problem.js';

/** Members of a record that advice is about. Names are canonical, data is as users write it. */
export interface AdvisedRecord {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority?: number | null;
}

/** Something in records that follows the rules of DNS and still does not do what its owner wants. */
export interface Advice {
  /** A stable code for programs. */
  readonly code: string;
  readonly message: string;
  readonly action: string;
  readonly about: AdvisedRecord;
  /** Records that replace others. Undefined if only the owner knows what is right. */
  readonly fix?: Fix;
}

/** Records to delete and to create. The n-th new record is the n-th old one, changed. */
export interface Fix {
  readonly remove: readonly AdvisedRecord[];
  readonly add: readonly AdvisedRecord[];
}

/** Text record, with the content of all its strings. */
export interface TextRecord extends AdvisedRecord {
  readonly text: string;
}

/** Returns the content of TXT data, whose strings are one text (RFC 7208 s3.3). Undefined if it has no valid form. */
export function textOf(data: string): string | undefined {
  try {
    return Buffer.concat(readTextStrings(data)).toString('utf8');
  } catch (error) {
    if (error instanceof DnsSyntaxError) return undefined;
    throw error;
  }
}

const STRING_OCTETS = 255;

/** Returns TXT data with a text in as many strings as it needs (RFC 1035 s3.3). */
export function dataOfText(text: string): string {
  const octets = Buffer.from(text, 'utf8');
  const count = Math.max(1, Math.ceil(octets.length / STRING_OCTETS));
  return Array.from({ length: count }, (_, at) =>
    quoteString(octets.subarray(at * STRING_OCTETS, (at + 1) * STRING_OCTETS)),
  ).join(' ');
}

/** Returns the members of a record without what was read from it. */
export function recordOf({ name, type, data, priority }: AdvisedRecord): AdvisedRecord {
  return { name, type, data, priority: priority ?? null };
}

/** Returns advice without a fix. */
export function point(
  record: AdvisedRecord,
  code: string,
  message: string,
  action: string,
): Advice {
  return { code, message, action, about: recordOf(record) };
}

/** Returns advice whose fix changes members of one record. */
export function correctTo(
  record: AdvisedRecord,
  right: Partial<AdvisedRecord>,
  { code, message, action }: Pick<Advice, 'code' | 'message' | 'action'>,
): Advice {
  const about = recordOf(record);
  return { code, message, action, about, fix: { remove: [about], add: [{ ...about, ...right }] } };
}

/** Reads `tag=value; tag=value` (RFC 6376 s3.2). Undefined if a part has another form. */
export function readTags(text: string): ReadonlyMap<string, string> | undefined {
  const parts = text.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const tags = new Map<string, string>();
  for (const part of parts) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at < 1 || !/^\w+$/.test(name)) return undefined;
    tags.set(name, part.slice(at + 1).trim());
  }
  return tags;
}
