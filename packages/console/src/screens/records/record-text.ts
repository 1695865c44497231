import type { ListedDomain } from '../../api/queries.js';
import { readTime } from '../../state/language.js';
import { toUnicodeName } from '../../ui/unicode-name.js';
import type { ListedRecord } from './use-records.js';

/** Record as entered by the user. */
export interface RecordValues {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: string;
  readonly ttl: string;
  readonly description: string;
  /** Tags separated by spaces or commas. */
  readonly tags: string;
  /** Expiry in local time, in the format of datetime-local. Empty if the record does not expire. */
  readonly expires: string;
  /** Empty if the record is enabled. */
  readonly disabled: '' | 'yes';
  /** Mail provider of a new MX record (plan-new.ts). Empty for the server in `data`. */
  readonly provider: string;
  /** Address to add for the mail server of a new MX record. */
  readonly address: string;
  /** Whether a new MX record replaces the existing ones. */
  readonly replaces: '' | 'yes';
}

export const EMPTY_VALUES: RecordValues = {
  name: '',
  type: 'A',
  data: '',
  priority: '',
  ttl: '',
  description: '',
  tags: '',
  expires: '',
  disabled: '',
  provider: '',
  address: '',
  replaces: '',
};

/** Types whose data is a target with a separate priority. */
const WITH_PRIORITY: ReadonlySet<string> = new Set(['MX', 'SRV']);
const WITH_TARGET: ReadonlySet<string> = new Set(['MX', 'CNAME', 'NS', 'PTR', 'DNAME']);

/** Returns the name of a domain as in the names of its records: a domain is shown in the letter case of its creation. */
export function canonical(domain: string): string {
  return domain.toLowerCase();
}

/** Returns a relative name: `www` for www.example.com. in example.com., and `@` for the domain itself. */
export function relativeName(name: string, shownDomain: string): string {
  const domain = canonical(shownDomain);
  if (name === domain) return '@';
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
}

/** Returns a name for sentences, without the trailing dot. */
export function displayName(name: string): string {
  return toUnicodeName(name.replace(/\.$/, ''));
}

export function describeRecord(
  { name, type, data }: Pick<ListedRecord, 'name' | 'type' | 'data'>,
  domain: string,
): string {
  const text = data.length > 48 ? `${data.slice(0, 48)}…` : data;
  return `${relativeName(name, domain)} ${type} ${text}`;
}

/** Returns the absolute name of typed text. */
export function absoluteName(typed: string, { name: shown }: Pick<ListedDomain, 'name'>): string {
  const domain = canonical(shown);
  const name = typed.trim().toLowerCase();
  if (name === '' || name === '@') return domain;
  if (name.endsWith('.')) return name;
  return `${name}.` === domain || `${name}.`.endsWith(`.${domain}`)
    ? `${name}.`
    : `${name}.${domain}`;
}

/**
 * Returns an absolute target. A target without dots is relative to the domain; the trailing dot is optional otherwise.
 */
function absoluteTarget(typed: string, domain: string): string {
  const target = typed.trim();
  if (target === '' || target === '.' || target.endsWith('.')) return target;
  if (target === '@') return domain;
  return target.includes('.') ? `${target}.` : `${target}.${domain}`;
}

/** Returns the request body of a record. */
export function toContent(draft: RecordValues, domain: Pick<ListedDomain, 'name'>) {
  const { type } = draft;
  const domainName = canonical(domain.name);
  const data = draft.data.trim();
  const ttl = draft.ttl.trim();
  return {
    name: absoluteName(draft.name, domain),
    type,
    data: WITH_TARGET.has(type)
      ? absoluteTarget(data, domainName)
      : type === 'SRV'
        ? completeSrv(data, domainName)
        : data,
    priority: WITH_PRIORITY.has(type) ? Number(draft.priority || Number.NaN) : null,
    ttl: ttl === '' ? null : Number(ttl),
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    disabled: draft.disabled !== '',
    expires_at: draft.expires === '' ? null : toTime(draft.expires),
    tags: readTags(draft.tags),
  };
}

export function readTags(text: string): string[] {
  return text.split(/[\s,]+/).filter((tag) => tag !== '');
}

function completeSrv(data: string, domain: string): string {
  const [weight = '', port = '', ...target] = data.split(/\s+/);
  return [weight, port, absoluteTarget(target.join(' '), domain)].join(' ').trim();
}

/** Returns the time. Invalid text is sent unchanged, so that the service reports the problem. */
function toTime(local: string): string {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
}

/** Returns the value for an input of type datetime-local. */
function toLocalTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Returns the request body of an update. An unchanged expiry keeps its microseconds. */
export function changedContent(
  record: ListedRecord,
  draft: RecordValues,
  domain: Pick<ListedDomain, 'name'>,
) {
  const { expires_at: end, ...content } = toContent(draft, domain);
  const isSame = draft.expires === toValues(record, domain.name).expires;
  return { ...content, expires_at: isSame ? (record.expires_at ?? null) : end };
}

export function toValues(record: ListedRecord, domain: string): RecordValues {
  return {
    ...EMPTY_VALUES,
    name: relativeName(record.name, domain),
    type: record.type,
    data: record.data,
    priority: record.priority === null ? '' : String(record.priority),
    ttl: record.ttl === null ? '' : String(record.ttl),
    description: record.description ?? '',
    tags: record.tags?.join(' ') ?? '',
    expires: record.expires_at == null ? '' : toLocalTime(readTime(record.expires_at)),
    disabled: record.disabled === true ? 'yes' : '',
  };
}

/** Types that most users need. */
export const COMMON_TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'HTTPS',
  'SVCB',
  'PTR',
  'DNAME',
  'TLSA',
  'SSHFP',
  'DS',
  'NAPTR',
  'URI',
  'LOC',
];
