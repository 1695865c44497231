import { isIP } from 'node:net';
import { typeNumber } from '@zonewright/dns-records';
import { FormFault, type FormItem, NOTHING, skip, toTarget, toZoneData } from './form-entry.js';
import { type Column, REQUIRED_COLUMNS } from './import-request.js';

/** The headings of tables that providers and people write, in lower case without blanks. */
const HEADINGS: Readonly<Record<string, Column>> = {
  ...{
    name: 'name',
    host: 'name',
    hostname: 'name',
    owner: 'name',
    recordname: 'name',
    record: 'name',
  },
  ...{ domain: 'name', domainname: 'name', subdomain: 'name', fqdn: 'name', hostrecord: 'name' },
  ...{ type: 'type', recordtype: 'type', rrtype: 'type', dnstype: 'type' },
  ...{ ttl: 'ttl', timetolive: 'ttl', recordttl: 'ttl' },
  ...{
    value: 'data',
    data: 'data',
    content: 'data',
    rdata: 'data',
    recorddata: 'data',
    recordvalue: 'data',
  },
  ...{
    address: 'data',
    target: 'data',
    answer: 'data',
    pointsto: 'data',
    destination: 'data',
    ip: 'data',
    ipaddress: 'data',
    records: 'data',
  },
  ...{
    priority: 'priority',
    prio: 'priority',
    pref: 'priority',
    preference: 'priority',
    mxpref: 'priority',
    mxpriority: 'priority',
    distance: 'priority',
  },
  ...{ weight: 'weight', port: 'port' },
  ...{
    comment: 'comment',
    comments: 'comment',
    note: 'comment',
    notes: 'comment',
    description: 'comment',
  },
  ...{ tags: 'tags', tag: 'tags' },
  ...{ proxied: 'proxied', proxy: 'proxied', proxystatus: 'proxied' },
};

const SEPARATORS = ['\t', ',', ';', '|'];
/** The maximum length of a row, because a row is read as a whole. No record is longer. */
const MAX_ROW_CHARACTERS = 300_000;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Yields the rows of a table (RFC 4180, with any of the separators). Empty rows and comments have no cells. Throws
 * FormFault.
 */
function* iterateRows(text: string, separator: string): Generator<Row> {
  let line = 1;
  for (let start = 0; start < text.length;) {
    const row = readRow(text, start, separator);
    const isFilled = row.cells.some((cell) => cell !== '') && !isComment(row.cells[0] ?? '');
    if (row.end - start > MAX_ROW_CHARACTERS) {
      throw new FormFault(
        line,
        `The row has more than ${MAX_ROW_CHARACTERS} characters; check for a missing closing quote.`,
      );
    }
    yield { line, cells: isFilled ? row.cells : [] };
    line += row.lines;
    start = row.end + 1;
  }
}

function isComment(cell: string): boolean {
  return cell.startsWith('#') || cell.startsWith(';');
}

/** Reads the row that begins at `start`; `end` is the offset of the end of its last line. */
function readRow(text: string, start: number, separator: string) {
  const cells: string[] = [];
  let lines = 1;
  for (let from = start; ;) {
    const { cell, end, newlines } = readCell(text, {
      from,
      limit: start + MAX_ROW_CHARACTERS + 1,
      separator,
    });
    cells.push(cell.trim());
    lines += newlines;
    if (text[end] !== separator) return { cells, end, lines };
    from = end + 1;
  }
}

interface CellRange {
  readonly from: number;
  readonly limit: number;
  readonly separator: string;
}

/**
 * Reads a cell up to its separator or the end of its line. Within quotes both belong to the cell, and a doubled quote
 * stands for one.
 */
function readCell(text: string, { from, limit, separator }: CellRange) {
  const isEnd = (at: number) =>
    at >= limit || at >= text.length || text[at] === '\n' || text[at] === separator;
  let start = from;
  while (text[start] === ' ' && !isEnd(start)) start += 1;
  const isQuoted = text[start] === '"' && !isEnd(start);
  const quoted = isQuoted ? readQuoted(text, start + 1, limit) : { content: '', end: start };
  let { end } = quoted;
  while (!isEnd(end)) end += 1;
  const cell = quoted.content + text.slice(quoted.end, end);
  return { cell, end, newlines: countLines(quoted.content, 0, quoted.content.length) };
}

/** Returns the content of a quoted cell, and the offset after its closing quote. */
function readQuoted(text: string, from: number, limit: number) {
  let content = '';
  for (let at = from; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1 || quote >= limit) {
      const end = Math.min(limit, text.length);
      return { content: content + text.slice(at, end), end };
    }
    content += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { content, end: quote + 1 };
    content += '"';
    at = quote + 2;
  }
}

/** Description of a table's columns. */
export interface TableShape {
  readonly separator: string;
  readonly columns: readonly Column[];
  readonly hasHeading: boolean;
}

const ROWS_SEEN = 50;
const DEFAULT_COLUMNS: readonly Column[] = ['name', 'type', 'data', 'ttl', 'priority'];

/**
 * Finds the table in the beginning of a text, by its heading or by types in its second column. Undefined if it is not a
 * table.
 */
export function findTable(head: string): TableShape | undefined {
  for (const separator of SEPARATORS) {
    const rows = firstRows(head, separator);
    const columns = readHeading(rows[0]?.cells ?? []);
    if (columns !== undefined) return { separator, columns, hasHeading: true };
    if (rows.length > 0 && rows.every(({ cells }) => isRow(cells))) {
      return { separator, columns: DEFAULT_COLUMNS, hasHeading: false };
    }
  }
  return undefined;
}

/** Returns the table in a text whose columns are known. Undefined if its first row has too few cells. */
export function shapeTable(head: string, columns: readonly Column[]): TableShape | undefined {
  const fewest = Math.max(...REQUIRED_COLUMNS.map((column) => columns.indexOf(column))) + 1;
  for (const separator of SEPARATORS) {
    const cells = firstRows(head, separator)[0]?.cells ?? [];
    const hasHeading = !isType(cells[columns.indexOf('type')] ?? '');
    if (cells.length >= fewest) return { separator, columns, hasHeading };
  }
  return undefined;
}

function firstRows(head: string, separator: string): Row[] {
  const rows: Row[] = [];
  try {
    for (const row of iterateRows(head, separator)) {
      if (row.cells.length > 0 && rows.push(row) === ROWS_SEEN) break;
    }
  } catch (error) {
    if (!(error instanceof FormFault)) throw error;
    return [];
  }
  return rows;
}

function readHeading(cells: readonly string[]): Column[] | undefined {
  const columns = cells.map((cell) => HEADINGS[plainHeading(cell)] ?? '-');
  const once = columns.map((column, at) => (columns.indexOf(column) === at ? column : '-'));
  return REQUIRED_COLUMNS.every((column) => once.includes(column)) ? once : undefined;
}

const MAX_HEADING_CHARACTERS = 40;

function plainHeading(cell: string): string {
  return cell
    .slice(0, MAX_HEADING_CHARACTERS)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/**
 * Returns whether the cells are name, type and data. In a zone file the second word is a class, a number, or the type
 * of one long word.
 */
function isRow([, type = '', data = '', ttl = '']: readonly string[]): boolean {
  return isType(type) && data !== '' && !isType(data) && !/\s/.test(type) && /^\d{0,10}$/.test(ttl);
}

function isType(text: string): boolean {
  return text.length <= 10 && typeNumber(text) !== undefined;
}

/** Yields the records of a table. Throws FormFault. */
export function* iterateTable(
  text: string,
  { separator, columns, hasHeading }: TableShape,
): Generator<FormItem> {
  let isHeading = hasHeading;
  for (const { line, cells } of iterateRows(text, separator)) {
    const isRead = cells.length > 0 && !isHeading;
    if (cells.length > 0) isHeading = false;
    yield isRead ? toItem(line, cells, columns) : NOTHING;
  }
}

function toItem(line: number, cells: readonly string[], columns: readonly Column[]): FormItem {
  const at = (column: Column) => cells[columns.indexOf(column)] ?? '';
  const type = at('type').toUpperCase();
  const [name, ttl, content] = [at('name'), at('ttl'), at('data')];
  if (type === '')
    return skip(line, 'syntax', 'The row has no type; write one such as A in that column.');
  const tags = at('tags')
    .split(/[,;]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    ...{ line, name: name === '' ? '@' : name, type },
    ttl: readTtl(ttl),
    data: toZoneData(type, withPriority(type, content, at)),
    ...(at('comment') === '' ? {} : { description: at('comment') }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(/^(?:true|yes|1|proxied)$/i.test(at('proxied')) ? { isProxied: true } : {}),
  };
}

/** Reads a TTL. Cloudflare's tables contain 1 or "Auto" for a TTL that Cloudflare chooses. */
function readTtl(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) && text !== '1' ? Number(text) : undefined;
}

const BEFORE_TARGET = ['priority', 'weight', 'port'] as const;
const COLUMNS_BEFORE: Readonly<Record<string, number>> = { MX: 1, SRV: 3 };

/** Returns the data after the numbers that have separate columns, unless it already contains them. */
function withPriority(type: string, content: string, at: (column: Column) => string): string {
  const isWhole = content.split(/\s/).filter((word) => word !== '').length > 1;
  const numbers = BEFORE_TARGET.slice(0, COLUMNS_BEFORE[type] ?? 0).map(at);
  return isWhole ? content : [...numbers.filter((each) => each !== ''), content].join(' ');
}

const MAX_LINE_CHARACTERS = 10_000;

/** Yields the words of each line, without comments. */
function* iterateWords(text: string): Generator<{ line: number; words: string[] }> {
  let line = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const [content = ''] = text
      .slice(start, Math.min(end, start + MAX_LINE_CHARACTERS))
      .split('#', 1);
    line += 1;
    start = end + 1;
    yield { line, words: content.split(/\s/).filter((word) => word !== '') };
  }
}

/**
 * Returns `addresses` if each line is an address, or `hosts` if each line is an address with names as in /etc/hosts.
 */
export function findAddresses(head: string): 'hosts' | 'addresses' | undefined {
  const rows = [...iterateWords(head)].filter(({ words }) => words.length > 0);
  if (rows.length === 0 || !rows.every(({ words }) => isIP(words[0] ?? '') > 0)) return undefined;
  if (rows.every(({ words }) => words.length === 1)) return 'addresses';
  return rows.every(({ words }) => words.length > 1) ? 'hosts' : undefined;
}

/** Yields A and AAAA records for the names in each line, or for the domain itself. */
export function* iterateAddresses(text: string): Generator<FormItem> {
  for (const { line, words } of iterateWords(text)) {
    const [address, ...names] = words;
    if (address === undefined) {
      yield NOTHING;
      continue;
    }
    const type = isIP(address) === 6 ? 'AAAA' : 'A';
    for (const name of names.length === 0 ? ['@'] : names) {
      yield { line, name, type, ttl: undefined, data: address };
    }
  }
}

/** Yields the hosts of Namecheap's API: `<host Name="www" Type="A" Address="192.0.2.1" MXPref="10" TTL="1800" />`. */
export function* iterateNamecheap(text: string): Generator<FormItem> {
  let line = 1;
  let counted = 0;
  for (const { name: element, attributes, at } of iterateElements(text)) {
    line += countLines(text, counted, at);
    counted = at;
    const get = (member: string) => attributes.get(member) ?? '';
    if (element === 'domaindnsgethostsresult') yield { domain: `${get('domain')}.` };
    if (element !== 'host') {
      yield NOTHING;
      continue;
    }
    const type = get('type').toUpperCase();
    const address = get('address');
    if (['URL', 'URL301', 'FRAME', 'ALIAS', 'MXE'].includes(type)) {
      yield skip(
        line,
        'alias',
        `${get('name')} ${type} of ${address} is a service of Namecheap and does not exist in DNS. Create A and AAAA records with the addresses of the target.`,
      );
      continue;
    }
    const data =
      type === 'MX' ? `${get('mxpref')} ${toTarget(address)}` : toZoneData(type, address);
    const ttl = Number(get('ttl'));
    yield {
      line,
      name: get('name'),
      type,
      ttl: Number.isSafeInteger(ttl) && ttl > 0 ? ttl : undefined,
      data,
    };
  }
}

const MAX_ELEMENT_CHARACTERS = 20_000;

function* iterateElements(text: string) {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const part = text.slice(at + 1, at + MAX_ELEMENT_CHARACTERS);
    const [name = ''] = part.slice(0, MAX_HEADING_CHARACTERS).split(' ', 1);
    const isElement = /^[a-z]+$/i.test(name);
    const end = isElement ? endOfElement(part) : 0;
    if (end === undefined) return;
    const attributes = readAttributes(part.slice(name.length, end));
    yield { name: name.toLowerCase(), attributes, at };
    at += end;
  }
}

/** Returns the offset of the end of an element, or of the next one. Undefined if the text ends before either. */
function endOfElement(part: string): number | undefined {
  let isQuoted = false;
  for (let at = 0; at < part.length; at += 1) {
    const letter = part[at];
    if (letter === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (letter === '>' || letter === '<')) return letter === '>' ? at : at - 1;
  }
  return undefined;
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; ;) {
    const equals = text.indexOf('="', at);
    const end = equals === -1 ? -1 : text.indexOf('"', equals + 2);
    if (end === -1) return attributes;
    attributes.set(
      text.slice(at, equals).trim().toLowerCase(),
      unescapeXml(text.slice(equals + 2, end)),
    );
    at = end + 1;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
};

function unescapeXml(text: string): string {
  return text.replaceAll(/&(\w{2,4});/g, (all, name: string) => ENTITIES[name] ?? all);
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
}
