import { typeNumber } from '@zonewright/dns-records';
import type { FileForm } from './form-entry.js';
import type { Column } from './import-request.js';
import { findAddresses, findTable, shapeTable, type TableShape } from './table-forms.js';

/** The format of a file, or a sentence that describes the file if its format is not supported. */
export type FoundForm =
  | { readonly form: FileForm; readonly table?: TableShape }
  | { readonly unknown: string };

/** Number of characters in which a format is recognized. It limits the time, whatever the size of the file is. */
const HEAD_CHARACTERS = 65_536;
const READ = 'Use a zone file (BIND), a CSV table, or a JSON or YAML export of a provider.';

/** Members of providers' JSON, the most specific first. A format is found if all of its texts are in the file. */
const JSON_SIGNS: readonly (readonly [FileForm, ...string[]])[] = [
  ['route53', '"ResourceRecordSets"'],
  ['route53', '"Name"', '"ResourceRecords"'],
  ['route53', '"Name"', '"AliasTarget"'],
  ['google', '"rrdatas"'],
  ['azure', 'Microsoft.Network/', 'nszones/'],
  ['technitium', '"rData"'],
  ['powerdns', '"rrsets"', '"content"'],
  ['hetzner-cloud', '"rrsets"', '"value"'],
  ['digitalocean', '"domain_records"'],
  ['cloudflare-json', '"proxied"', '"content"'],
  ['hetzner', '"zone_id"', '"value"'],
  ['digitalocean', '"data"', '"flags"', '"tag"'],
  ['godaddy-json', '"data"', '"type"', '"name"'],
];

/**
 * Finds the format of a text from its beginning, without regular expressions that could backtrack.
 *
 * @param columns the columns of a table; undefined if the text must show its format
 */
export function findForm(text: string, columns?: readonly Column[]): FoundForm {
  const head = text.slice(0, HEAD_CHARACTERS);
  const isWhole = head.length === text.length;
  if (columns !== undefined) {
    const table = shapeTable(wholeLines(head, isWhole), columns);
    if (table !== undefined) return { form: 'table', table };
    const what =
      'The first row of the file has fewer cells than the columns that the request lists.';
    return { unknown: `${what} Separate the cells by commas, semicolons, tabs or bars.` };
  }
  const start = head.trimStart();
  if (head.includes('\0') || start.startsWith('PK\u0003')) {
    return { unknown: `The file is not text; unpack it or export it again. ${READ}` };
  }
  const first = start.charAt(0);
  if (first === '{' || first === '[') return findJson(start);
  if (first === '<') return findMarkup(start);
  const lines = wholeLines(head, isWhole);
  return findByLines(lines) ?? findProgram(lines) ?? { form: 'bind' };
}

/** Removes the last line of the beginning, which may be incomplete. */
function wholeLines(head: string, isWhole: boolean): string {
  const end = isWhole ? head.length : head.lastIndexOf('\n') + 1;
  return end === 0 ? head : head.slice(0, end);
}

function findJson(start: string): FoundForm {
  const found = JSON_SIGNS.find(([, ...signs]) => signs.every((sign) => start.includes(sign)));
  if (found !== undefined) return { form: found[0] };
  const isOctodns = start.startsWith('{') && start.includes('"type"') && /"values?"/.test(start);
  if (isOctodns) return { form: 'octodns' };
  return { unknown: `The file is JSON, but its format is not supported. ${READ}` };
}

function findMarkup(start: string): FoundForm {
  const lower = start.slice(0, 4_096).toLowerCase();
  if (lower.includes('<domaindnsgethostsresult') || lower.includes('<host '))
    return { form: 'namecheap' };
  const what =
    lower.startsWith('<!doctype html') || lower.includes('<html') ? 'a web page (HTML)' : 'XML';
  return { unknown: `The file looks like ${what}, which does not contain DNS records. ${READ}` };
}

const CLOUDFLARE_SIGNS = ['cf_tags=', ';; Domain:'];

function findByLines(head: string): FoundForm | undefined {
  const lines = contentLines(head);
  const hasSign = (sign: string) => head.includes(sign);
  if (CLOUDFLARE_SIGNS.some(hasSign)) return { form: 'cloudflare' };
  if (head.startsWith('; Domain:') && hasSign('; Exported (')) return { form: 'godaddy' };
  if (lines.some((line) => line.startsWith('kind: dns#resourceRecordSet')))
    return { form: 'google-yaml' };
  if (isOctodnsYaml(lines)) return { form: 'octodns-yaml' };
  const addresses = findAddresses(head);
  if (addresses !== undefined) return { form: addresses };
  const table = findTable(head);
  return table === undefined ? undefined : { form: 'table', table };
}

const LINES_SEEN = 200;

/** Returns the first lines that are neither empty nor comments of a zone file. */
function contentLines(head: string): string[] {
  const lines: string[] = [];
  for (const line of head.split('\n', 10 * LINES_SEEN)) {
    const isContent = line.trim() !== '' && !line.trimStart().startsWith(';');
    if (isContent && lines.push(line) === LINES_SEEN) break;
  }
  return lines;
}

/** Returns whether the lines are a name with a colon at the left margin, and a type below it. */
function isOctodnsYaml(lines: readonly string[]): boolean {
  const isKey = (line: string) => !line.startsWith(' ') && line.trimEnd().endsWith(':');
  const isType = (line: string) => {
    const text = line.trimStart();
    return (
      text.startsWith('type: ') ||
      text.startsWith('- type: ') ||
      text.startsWith('ttl: ') ||
      text.startsWith('- ttl: ')
    );
  };
  return (
    lines.some(isKey) &&
    lines.some((line) => (line.startsWith(' ') || line.startsWith('- ') ? isType(line) : false))
  );
}

/** Beginnings of lines in files of other programs, with a description of these files. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ['zone "', 'the configuration of a nameserver, which refers to zone files; use one of these'],
  ['options {', 'the configuration of a nameserver, which refers to zone files; use one of these'],
  ['resource "', 'Terraform'],
  [
    'D("',
    'dnsconfig.js of DNSControl; use the file that `dnscontrol get-zones --format=zone` writes',
  ],
  ['server {', 'the configuration of a web server'],
  ['#!/', 'a script'],
  ['%PDF-', 'PDF'],
  ['-----BEGIN ', 'a key or a certificate'],
];

/** Returns a description of a file that contains no line of a zone file. */
function findProgram(head: string): FoundForm | undefined {
  const lines = contentLines(head);
  const program = PROGRAMS.find(([sign]) => lines.some((line) => line.startsWith(sign)));
  if (program !== undefined) return { unknown: `The file looks like ${program[1]}. ${READ}` };
  if (lines.length >= FEWEST_LINES && lines.every(isTinydns)) {
    return {
      unknown: `The file looks like tinydns data; transfer the zone with \`dig AXFR\` instead. ${READ}`,
    };
  }
  if (lines.length < FEWEST_LINES || lines.some(hasType)) return undefined;
  return {
    unknown: `The file looks like text without DNS records: no line names a type such as A or MX. ${READ}`,
  };
}

/**
 * The minimum number of lines for this check. A shorter text is a record that somebody typed; the error about its line
 * is more helpful.
 */
const FEWEST_LINES = 5;
/** The number of words that may precede the data: owner, TTL, class and type. */
const WORDS_BEFORE_DATA = 5;
const MAX_LINE_CHARACTERS = 1_000;

function hasType(line: string): boolean {
  if (line.startsWith('$')) return true;
  const words = line
    .slice(0, MAX_LINE_CHARACTERS)
    .split(/\s/)
    .filter((word) => word !== '');
  return words
    .slice(0, WORDS_BEFORE_DATA)
    .some((word) => word.length <= 10 && typeNumber(word) !== undefined);
}

function isTinydns(line: string): boolean {
  return "=+.&@'^CZ:-#".includes(line.charAt(0)) && line.includes(':') && !line.includes(' IN ');
}
