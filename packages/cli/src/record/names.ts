import { type Domain, NotFoundError, readAll, type RecordContent } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Session } from '../session/session.js';
import { describeFlags, type Flags } from './flags.js';

/** Types whose data is a host name or ends with one. */
const WITH_TARGET = new Set(['CNAME', 'NS', 'MX', 'PTR', 'DNAME', 'SRV']);
/** Types whose data is a single word, so that several words are several records. */
const ONE_WORD = new Set(['A', 'AAAA']);

/** Returns the name of a domain with a trailing dot. @throws InputError if it cannot be a name */
export function withDot(name: string): string {
  if (/^\S+$/.test(name)) return name.endsWith('.') ? name : `${name}.`;
  throw new InputError(`"${name}" is not a valid domain name.`);
}

/** Converts `www`, `@`, `www.example.com` and `www.example.com.` to names in example.com. */
export function toOwnerName(text: string, shownZone: string): string {
  const zone = shownZone.toLowerCase();
  if (text === '@') return zone;
  if (text.endsWith('.')) return text;
  const absolute = `${text}.`.toLowerCase();
  if (absolute === zone || absolute.endsWith(`.${zone}`)) return `${text}.`;
  return `${text}.${zone}`;
}

/** Converts records to the form of the API: absolute names, separate priorities. */
export function toRecords(
  zone: string,
  { name, type, words }: { name: string; type: string; words: readonly string[] },
): RecordContent[] {
  const owner = toOwnerName(name, zone);
  const common = { name: owner, type: type.toUpperCase() };
  if (ONE_WORD.has(common.type)) return words.map((data) => ({ ...common, data }));
  return [{ ...common, ...toData(zone.toLowerCase(), common.type, words.join(' ')) }];
}

function toData(zone: string, type: string, text: string): { data: string; priority?: number } {
  if (!WITH_TARGET.has(type)) return { data: text };
  const words = text.trim().split(/\s+/);
  const target = toTarget(words.at(-1) ?? '', zone);
  const hasPriority = type === 'MX' || type === 'SRV';
  if (!hasPriority) return { data: target };
  const [first = '', ...between] = words.slice(0, -1);
  const data = [...between, target].join(' ');
  return /^\d+$/.test(first) ? { data, priority: Number(first) } : { data };
}

/**
 * Completes a target. A single label is relative to the domain. A name with a dot is absolute, with or without a
 * trailing dot.
 */
function toTarget(text: string, zone: string): string {
  if (text.endsWith('.')) return text;
  return text === '@' || !text.includes('.') ? toOwnerName(text, zone) : `${text}.`;
}

/** Record in the form that is printed. */
export interface RecordLine extends Flags {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl?: number | null;
  readonly priority?: number | null;
}

/** Renders a record as a line of a zone file, followed by its properties beyond DNS. */
export function renderRecord(record: RecordLine): string {
  const { name, type, data, ttl, priority } = record;
  const parts = [name, ttl ?? '', type, priority ?? '', data, describeFlags(record)];
  return parts.filter((part) => part !== '').join(' ');
}

/** Renders a changed record once, with `old -> new` for what differs. */
export function renderUpdate(before: RecordLine, after: RecordLine): string {
  const from = (old: string, now: string) =>
    old === now ? old : `${old || '(none)'} -> ${now || '(none)'}`;
  const value = ({ priority, data }: RecordLine) => `${priority ?? ''} ${data}`.trim();
  const ttl = ({ ttl: seconds }: RecordLine) => String(seconds ?? 'default');
  const isSameTtl = ttl(before) === ttl(after);
  const parts = [
    from(before.name, after.name),
    isSameTtl ? (after.ttl ?? '') : '',
    after.type,
    from(value(before), value(after)),
    isSameTtl ? '' : ` ttl ${ttl(before)} -> ${ttl(after)}`,
    from(describeFlags(before), describeFlags(after)),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Sorts records for reading: a name comes before the names below it, and its types are together. */
export function compareRecords(a: RecordLine, b: RecordLine): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

function sortKey({ name, type, data, priority }: RecordLine): string {
  const labels = name.split('.').reverse();
  return [labels.join('\u0001'), type, String(priority ?? 0).padStart(5, '0'), data].join('\u0000');
}

/** Finds the domain with the longest name that contains a name. @throws NotFoundError */
export async function findZone({ client, reading }: Session, name: string): Promise<Domain> {
  const lower = name.toLowerCase();
  const around = (await readAll(client.domains.list(reading)))
    .filter(({ name: shown }) => `.${lower}`.endsWith(`.${shown.toLowerCase()}`))
    .sort((a, b) => b.name.length - a.name.length);
  const [closest] = around;
  if (closest !== undefined) return closest;
  throw new NotFoundError(`${name} is not in any of your domains`);
}
