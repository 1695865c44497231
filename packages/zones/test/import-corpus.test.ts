import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalRdata, formatZoneText, parseZoneText } from '@zonewright/dns-records';
import { readFile } from '../src/import-export/read-file.js';

const CORPUS = readFileSync(join(import.meta.dirname, 'corpus.txt'), 'utf8');
const DIFFERENCES = readFileSync(
  join(import.meta.dirname, '../../../docs/reference/import-differences.md'),
  'utf8',
);

/** Program of Debian's package bind9-utils. */
const BIND = 'named-compilezone';

/** The files of the corpus, each with its domain. */
const FILES = CORPUS.split(/^=== /m)
  .slice(1)
  .map((part) => {
    const [first = ''] = part.split('\n', 1);
    const [domain = '', ...title] = first.split(' ');
    const head = '@ IN SOA ns host 1 2 3 4 5\n@ IN NS ns.example.org.\n';
    const body = part.slice(first.length + 1).trimEnd();
    const text = `${body}\n`.replace(/^HEAD\n/m, head);
    const isWindows = text.startsWith('CRLF\n');
    const file = isWindows ? text.slice('CRLF\n'.length).replaceAll('\n', '\r\n') : text;
    return { domain, title: title.join(' '), file };
  });

/** Domains whose difference the reference names in a row. */
const NAMED = new Set(
  Array.from(DIFFERENCES.matchAll(/^- `([^`]+)`: /gm), ([, name = '']) => name),
);

type Records = ReturnType<typeof parseZoneText>['records'];

/** Records by owner, TTL, type and canonical rdata, each once and in order. */
function render(records: Records): string[] {
  const lines = records.map(({ ownerName, ttl, type, rdata }) =>
    [ownerName, ttl, type, Buffer.from(canonicalRdata(type, rdata)).toString('hex')].join(' '),
  );
  return [...new Set(lines)].sort();
}

async function readHere(file: string, domain: string) {
  const options = { domain, fallbackTtl: 3_600, maxRecords: 1_000 };
  const { records, notTaken } = await readFile(file, options);
  return { records: render([...records]), problems: notTaken.length, read: records };
}

const isThere = spawnSync(BIND, ['-h']).error === undefined;
const test = isThere ? it : it.skip;
if (!isThere) process.stderr.write("SKIPPED (no named-compilezone; Debian's bind9-utils has it)\n");

describe('Zone files of the corpus', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Records as BIND reads them; undefined if it refuses the file. */
  function readByBind(file: string, domain: string): string[] | undefined {
    const path = join(folder, 'zone');
    writeFileSync(path, file);
    const checks = ['-k', 'ignore', '-i', 'none', '-n', 'ignore', '-m', 'ignore', '-r', 'ignore'];
    const args = ['-q', ...checks, '-s', 'full', '-o', '-', domain, path];
    const { status, stdout } = spawnSync(BIND, args, {
      encoding: 'utf8',
      cwd: folder,
    });
    if (status !== 0) return undefined;
    const { records, problems } = parseZoneText(stdout, { origin: '.' });
    expect(problems).toEqual([]);
    return render(records);
  }

  it('has at least sixty files, and each difference in the table belongs to one', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(60);
    const domains = FILES.map(({ domain }) => domain);
    expect([...NAMED].filter((name) => !domains.includes(name))).toEqual([]);
  });

  test.each(FILES)(
    '$domain $title: is read as in BIND, or listed as a difference',
    async ({ domain, file }) => {
      const here = await readHere(file, domain);
      const bind = readByBind(file, domain);
      const isSame =
        bind !== undefined && here.problems === 0 && here.records.join('\n') === bind.join('\n');
      if (NAMED.has(domain)) expect(isSame).toBe(false);
      else
        expect({ ...here, read: undefined }).toEqual({
          records: bind,
          problems: 0,
          read: undefined,
        });
    },
  );

  it.each(FILES)('$domain $title: is unchanged after our export', async ({ domain, file }) => {
    const { read, records } = await readHere(file, domain);
    const [soa, ...others] = [...read].sort((one, other) =>
      one.type === 'SOA' ? -1 : other.type === 'SOA' ? 1 : 0,
    );
    const all = soa === undefined ? [] : [soa, ...others];
    const text = formatZoneText({ origin: domain, defaultTtl: 77, records: all });
    expect((await readHere(text, domain)).records).toEqual(records);
  });
});
