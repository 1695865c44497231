import { iterateZoneText, type ZoneTextItem, type ZoneTextRecord } from '@zonewright/dns-records';
import { invalidRequest, MAX_PROBLEMS, ServiceError, Slices } from '@zonewright/service-kit';
import { findForm } from './find-form.js';
import {
  absolute,
  type FileForm,
  FormFault,
  type FormEntry,
  type FormItem,
  NOTHING,
  type RecordExtras,
} from './form-entry.js';
import { type Column, openText, type SkippedLine } from './import-request.js';
import { CLOUDFLARE_AUTO_TTL, iterateJsonForm, readGoogle, readOctodnsName } from './json-forms.js';
import {
  iterateAddresses,
  iterateNamecheap,
  iterateTable,
  type TableShape,
} from './table-forms.js';
import { iterateYaml } from './yaml-items.js';

/**
 * The number of records that a file may contain in addition to the zone's maximum: its SOA and NS records, and
 * duplicates.
 */
const SPARE_RECORDS = 1_000;
/** The number of lines for each record that may have types that are not imported, such as signatures. */
const PROBLEMS_PER_RECORD = 3;
/** The maximum number of stored reasons, because more of them are never shown. */
const MAX_REASONS = 1_000;

interface ReadOptions {
  /** Absolute name of the domain; undefined if the file must name it. */
  readonly domain: string | undefined;
  /** TTL of records for which the file states none (RFC 1035, section 5.1). */
  readonly fallbackTtl: number;
  /** The maximum number of records in the zone. */
  readonly maxRecords: number;
  /** The columns of a table; undefined if the file must show its format. */
  readonly columns?: readonly Column[] | undefined;
}

/** An SOA record whose data is not valid. */
interface InvalidSoa {
  readonly owner: string;
  readonly line: number;
  readonly reason: string;
}

/** A record of a file, with the file's additional information about it. */
export type ReadRecord = ZoneTextRecord & { readonly extras?: RecordExtras };

export interface ReadFile {
  readonly form: FileForm;
  /** Absolute name of the file's domain. */
  readonly domain: string | undefined;
  readonly records: readonly ReadRecord[];
  readonly notTaken: readonly SkippedLine[];
  /** The first invalid SOA of the file. */
  readonly invalidSoa: InvalidSoa | undefined;
  /** The columns of a table, as they were read. */
  readonly columns: readonly Column[] | undefined;
}

/**
 * Reads a file of any known format, in slices between which other requests can run. Reading stops when the file
 * contains more than the zone may, so the cost depends on the zone's limits and not on the file.
 *
 * @throws ServiceError `over-quota` or `invalid`
 */
export async function readFile(given: string, options: ReadOptions): Promise<ReadFile> {
  const text = openText(given);
  const found = findForm(text, options.columns);
  if ('unknown' in found) throw unreadable(found.unknown);
  const { form, table } = found;
  const reading = new Reading(form, options, options.domain ?? statedDomain(text));
  try {
    await reading.take(iterateForm(form, text, table));
  } catch (error) {
    if (!(error instanceof FormFault)) throw error;
    throw unreadable(`line ${error.line}: ${error.message}`);
  }
  return { ...reading.result(), columns: table?.columns };
}

function unreadable(message: string): ServiceError {
  return invalidRequest([{ path: 'zonefile', validator: 'format', message }]);
}

const HEAD_CHARACTERS = 4_096;

/** Returns the domain that the beginning of a file names, in a comment of Cloudflare or GoDaddy or as its origin. */
function statedDomain(text: string): string | undefined {
  for (const line of text.slice(0, HEAD_CHARACTERS).split('\n')) {
    const words = line.split(/\s/).filter((word) => word !== '');
    const domain = domainInComment(words) ?? domainInOrigin(words);
    if (domain !== undefined) return domain.toLowerCase();
  }
  return undefined;
}

function domainInComment([mark = '', label = '', name]: readonly string[]): string | undefined {
  const isLabel = ['; domain:', ';; domain:'].includes(`${mark} ${label}`.toLowerCase());
  return isLabel && name !== undefined ? absolute(name) : undefined;
}

function domainInOrigin([directive = '', name = '']: readonly string[]): string | undefined {
  const isAbsolute = name !== '.' && name.endsWith('.');
  return directive.toUpperCase() === '$ORIGIN' && isAbsolute ? name : undefined;
}

type ZoneText = { readonly text: string };

/** Readers of formats that are neither zone files nor JSON. */
const READERS: Readonly<Partial<Record<FileForm, (text: string) => Generator<FormItem>>>> = {
  hosts: iterateAddresses,
  addresses: iterateAddresses,
  namecheap: iterateNamecheap,
  'octodns-yaml': (text) => iterateYamlForm('octodns-yaml', text),
  'google-yaml': (text) => iterateYamlForm('google-yaml', text),
};
const ZONE_FILES: ReadonlySet<FileForm> = new Set(['bind', 'cloudflare', 'godaddy']);

/** Returns the records of a file that is not a zone file, or the text of one that is. */
function iterateForm(
  form: FileForm,
  text: string,
  table: TableShape | undefined,
): ZoneText | Generator<FormItem> {
  if (ZONE_FILES.has(form)) return { text };
  if (table !== undefined) return iterateTable(text, table);
  return READERS[form]?.(text) ?? iterateJsonForm(form, text);
}

function* iterateYamlForm(form: FileForm, text: string): Generator<FormItem> {
  for (const item of iterateYaml(text)) {
    if (item === undefined) yield NOTHING;
    else if (form === 'octodns-yaml') yield* readOctodnsName(item.key ?? '', item.value, item.line);
    else if (typeof item.value === 'object' && item.value !== null) {
      yield* readGoogle(item.value as Record<string, unknown>, item.line);
    }
  }
}

/** The state while a file is being read. */
class Reading {
  readonly #form: FileForm;
  readonly #options: ReadOptions;
  readonly #slices = new Slices();
  readonly #records: ReadRecord[] = [];
  readonly #notTaken: SkippedLine[] = [];
  #domain: string | undefined;
  #invalidSoa: InvalidSoa | undefined;

  constructor(form: FileForm, options: ReadOptions, domain: string | undefined) {
    this.#form = form;
    this.#options = options;
    this.#domain = domain;
  }

  async take(source: ZoneText | Generator<FormItem>): Promise<void> {
    if ('text' in source) {
      await this.#takeText(source.text);
      return;
    }
    for (const item of source) {
      if (this.#slices.isOver) await this.#slices.next();
      if ('domain' in item) this.#domain ??= item.domain.toLowerCase();
      else if ('skipped' in item) this.#note(item.skipped);
      else if ('name' in item) this.#takeEntry(item);
      this.#refuseTooMany();
    }
  }

  async #takeText(text: string): Promise<void> {
    const { fallbackTtl } = this.#options;
    for (const item of iterateZoneText(text, { origin: this.#origin, fallbackTtl })) {
      if (this.#slices.isOver) await this.#slices.next();
      this.#takeItem(item);
      this.#refuseTooMany();
    }
  }

  get #origin(): string {
    return this.#domain ?? '.';
  }

  /** Reads each entry separately, so that its content cannot affect the next one. */
  #takeEntry(entry: FormEntry): void {
    const { line, name, type, ttl, data } = entry;
    const owner = ownerOf(name, this.#domain);
    const isPlain = isWord(owner) && isWord(type) && !/[()\n]/.test(data);
    if (!isPlain) {
      const reason = `A name, type or value of the record ${JSON.stringify(`${name} ${type}`.slice(0, 80))} has characters that are not allowed in records; correct it.`;
      this.#note({ line, reason, severity: 'error', code: 'syntax' });
      return;
    }
    const text = `${owner} ${ttl ?? ''} IN ${type} ${data}`;
    const { fallbackTtl } = this.#options;
    for (const item of iterateZoneText(text, { origin: this.#origin, fallbackTtl, line })) {
      this.#takeItem(item, extrasOf(entry));
    }
  }

  #takeItem(item: ZoneTextItem, extras?: RecordExtras): void {
    if ('record' in item) {
      this.#records.push(this.#toRecord(item.record, extras));
    } else if ('problem' in item) {
      const { line, code, message: reason, soaOwner: owner } = item.problem;
      if (owner !== undefined) this.#invalidSoa ??= { owner, line, reason };
      const severity = code === 'syntax' ? 'error' : 'warning';
      this.#note({ line, reason, severity, code });
    }
  }

  #toRecord(record: ZoneTextRecord, extras: RecordExtras | undefined): ReadRecord {
    if (this.#form === 'cloudflare') return readCloudflare(record);
    return extras === undefined ? record : { ...record, extras };
  }

  #note(each: SkippedLine): void {
    note(this.#notTaken, each);
  }

  #refuseTooMany(): void {
    const { maxRecords } = this.#options;
    const most = maxRecords + SPARE_RECORDS;
    if (this.#records.length > most) throw tooManyRecords(most, maxRecords);
    if (this.#notTaken.length > most * PROBLEMS_PER_RECORD) throw tooManyProblems(this.#notTaken);
  }

  /**
   * Chooses the domain. An SOA record names its zone more reliably than an origin, which may be below it. Cloudflare
   * omits the last dot of the SOA's name.
   */
  #chooseDomain(owner: string | undefined): string | undefined {
    return this.#form === 'bind' ? (owner ?? this.#domain) : (this.#domain ?? owner);
  }

  result(): Omit<ReadFile, 'columns'> {
    const soa = this.#records.find(({ type }) => type === 'SOA');
    const owner = soa?.ownerName ?? this.#invalidSoa?.owner;
    return {
      form: this.#form,
      domain: this.#options.domain ?? this.#chooseDomain(owner === '.' ? undefined : owner),
      records: this.#records,
      notTaken: this.#notTaken,
      invalidSoa: this.#invalidSoa,
    };
  }
}

function extrasOf({ description, tags, isProxied }: FormEntry): RecordExtras | undefined {
  if ((description ?? tags ?? isProxied) === undefined) return undefined;
  return {
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    ...(isProxied === undefined ? {} : { isProxied }),
  };
}

/** Returns the owner name; providers write it relative to the domain, or with the domain but without the last dot. */
function ownerOf(name: string, domain: string | undefined): string {
  const text = name.startsWith('$') ? `\\${name}` : name;
  if (text === '@' || text.endsWith('.') || domain === undefined) return text;
  const full = `${text.toLowerCase()}.`;
  return full === domain || full.endsWith(`.${domain}`) ? `${text}.` : text;
}

/** Returns whether the text is a single word in a zone file. */
function isWord(text: string): boolean {
  return text !== '' && text.length <= MAX_WORD_CHARACTERS && !/[\s"();]/.test(text);
}

const MAX_WORD_CHARACTERS = 1_024;

const CLOUDFLARE_TAGS = 'cf_tags=';
const PROXIED = 'cf-proxied:true';

/** Reads a record of Cloudflare, which has tags and a comment behind it, and 1 for a TTL that Cloudflare chooses. */
function readCloudflare(record: ZoneTextRecord): ReadRecord {
  const { comment = '', ttl } = record;
  const at = comment.lastIndexOf(CLOUDFLARE_TAGS);
  const description = (at === -1 ? comment : comment.slice(0, at)).trim();
  const tags = at === -1 ? [] : splitTags(comment.slice(at + CLOUDFLARE_TAGS.length));
  const own = tags.filter((tag) => !tag.startsWith('cf-'));
  return {
    ...record,
    ttl: ttl === 1 ? CLOUDFLARE_AUTO_TTL : ttl,
    extras: {
      ...(description === '' ? {} : { description }),
      ...(own.length === 0 ? {} : { tags: own }),
      ...(tags.includes(PROXIED) ? { isProxied: true } : {}),
    },
  };
}

/** Splits tags at commas; values that contain commas are quoted as in JSON. */
function splitTags(text: string): string[] {
  const tags: string[] = [];
  let tag = '';
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === ',' && !isQuoted) {
      tags.push(tag.trim());
      tag = '';
    } else tag += letter;
  }
  return [...tags, tag.trim()].filter((each) => each !== '');
}

function tooManyRecords(most: number, maxRecords: number): ServiceError {
  return new ServiceError(
    'over-quota',
    `The file has more than ${most} records; the domain can have at most ${maxRecords}.`,
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

/** Adds a line that is not imported. */
export function note(notTaken: SkippedLine[], each: SkippedLine): void {
  notTaken.push(notTaken.length < MAX_REASONS ? each : { ...each, reason: 'As above.' });
}
