import { absoluteName } from './record-text.js';

type PastedForm = 'zone' | 'csv' | 'tsv' | 'hosts' | 'addresses' | 'nothing';

export interface Pasted {
  readonly form: PastedForm;
  readonly lines: number;
  /** Lines of a zone file for the service. */
  readonly zonefile: string;
}

const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const IPV6 = /^(?=.*:)[\da-f:.]{2,45}$/i;
const TYPE = /^[A-Z][A-Z0-9-]{0,15}$/i;

const isAddress = (text: string) => IPV4.test(text) || IPV6.test(text);
const typeOf = (address: string) => (IPV4.test(address) ? 'A' : 'AAAA');

/** Returns pasted text as lines of a zone file. Zone files and the output of dig are not changed. */
export function readPasted(text: string, domain: string): Pasted {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*[#;]/.test(line));
  const form = formOf(lines);
  const toName = (name: string) => absoluteName(name, { name: domain });
  const written: Readonly<Record<PastedForm, () => string>> = {
    nothing: () => '',
    zone: () => text,
    addresses: () =>
      lines.map((line) => `${domain} IN ${typeOf(line.trim())} ${line.trim()}`).join('\n'),
    hosts: () => lines.flatMap((line) => readHosts(line, toName)).join('\n'),
    csv: () => lines.flatMap((line) => readRow(splitCsv(line), toName)).join('\n'),
    tsv: () => lines.flatMap((line) => readRow(line.split('\t'), toName)).join('\n'),
  };
  return { form, lines: lines.length, zonefile: written[form]() };
}

function formOf(lines: readonly string[]): PastedForm {
  if (lines.length === 0) return 'nothing';
  const every = (test: (line: string) => boolean) => lines.every(test);
  if (every((line) => isAddress(line.trim()))) return 'addresses';
  if (every((line) => /^\s*\S+\s+\S+/.test(line) && isAddress(line.trim().split(/\s+/)[0] ?? '')))
    return 'hosts';
  const isTable = (rows: readonly (readonly string[])[]) =>
    rows.every((row) => row.length >= 3) && rows.some((row) => isRow(row));
  if (every((line) => line.includes('\t')) && isTable(lines.map((line) => line.split('\t'))))
    return 'tsv';
  if (every((line) => /[,;]/.test(line)) && isTable(lines.map(splitCsv))) return 'csv';
  return 'zone';
}

/** Whether a row has name, type, data and TTL and is not a heading. In a zone file the second field is a class or a number. */
function isRow([, type = '', data = '']: readonly string[]): boolean {
  return (
    TYPE.test(type.trim()) &&
    !/^(IN|type)$/i.test(type.trim()) &&
    data.trim() !== '' &&
    !TYPE_NAMES.has(data.trim().toUpperCase())
  );
}

const TYPE_NAMES: ReadonlySet<string> = new Set([
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'NS',
  'SRV',
  'CAA',
  'IN',
]);

function readRow(row: readonly string[], toName: (name: string) => string): string[] {
  if (!isRow(row)) return [];
  const [name = '', type = '', data = '', ttl = ''] = row.map((cell) => cell.trim());
  const seconds = /^\d+$/.test(ttl) ? ttl : '';
  const isText = /^(TXT|SPF)$/i.test(type) && !data.startsWith('"');
  const value = isText ? `"${data.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : data;
  return [
    [toName(name), seconds, 'IN', type.toUpperCase(), value]
      .filter((part) => part !== '')
      .join(' '),
  ];
}

function readHosts(line: string, toName: (name: string) => string): string[] {
  const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
  return names.map((name) => `${toName(name)} IN ${typeOf(address)} ${address}`);
}

/** RFC 4180, with commas or semicolons. */
function splitCsv(line: string): string[] {
  const separator = line.includes(',') ? ',' : ';';
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? '';
    if (isQuoted && letter === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell];
}
