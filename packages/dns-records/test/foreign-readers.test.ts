import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatZoneText, parseZoneText, rdataToWire } from '../src/index.js';
import { readCases } from './read-cases.js';
import { DATA_OF, GENERIC_DATA } from './support/any-rdata.js';

const ORIGIN = 'example.';
const SAMPLES = 50;
const TYPES = [...Object.entries(DATA_OF), ['TYPE65280', GENERIC_DATA] as const];

/** Programs that read a zone file and write it as they have understood it. */
const READERS: readonly [
  program: string,
  package_: string,
  args: (file: string, type: string) => string[],
][] = [
  [
    'named-compilezone',
    'bind9-utils',
    (file) => ['-q', '-k', 'ignore', '-i', 'none', '-s', 'full', '-o', '-', ORIGIN, file],
  ],
  [
    'ldns-read-zone',
    'ldnsutils', // This program writes octets because it does not put a backslash before every quote.
    (file, type) => [...(type in DATA_OF ? ['-u', type] : []), file],
  ],
];

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', input });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  return stdout;
}

/** Returns whether a Debian program is installed; if not, its tests are skipped with a visible line. */
function isThere(program: string, package_: string): boolean {
  const { error } = spawnSync(program, ['-h']);
  if (error === undefined) return true;
  process.stderr.write(`SKIPPED (no ${program}; Debian's package ${package_} has it)\n`);
  return false;
}

/** ldns treats a name that consists of this one label as the origin, as if it were not escaped. */
const isTakenForOrigin = (data: string) => /(?:^| )\\@\. ?/.test(data);

for (const [program, package_, args] of READERS) {
  describe(`Read by ${program}`, () => {
    const test = isThere(program, package_) ? it : it.skip;
    test.each(TYPES)('%s: reads any data as this package does', (type, data) => {
      const sound = data.filter((text) => !isTakenForOrigin(text));
      const records = fc.sample(sound, SAMPLES).map((text, at) => ({
        ownerName: `n${at}.${ORIGIN}`,
        type,
        ttl: null,
        data: text,
        priority: null,
      }));
      const soa = { ownerName: ORIGIN, type: 'SOA', data: 'ns. admin. 1 2 3 4 5' };
      const ns = { ownerName: ORIGIN, type: 'NS', data: 'ns.elsewhere.test.' };
      const own = [soa, ns].map((record) => ({ ...record, ttl: null, priority: null }));
      const text = formatZoneText({
        origin: ORIGIN,
        defaultTtl: 60,
        records: [...own, ...records],
      });
      const understood = readElsewhere(program, (file) => args(file, type), text);
      const expected = records.map(({ ownerName, data: written }) => [
        ownerName,
        Buffer.from(rdataToWire(type, written, null)).toString('hex'),
      ]);
      expect(understood).toEqual(Object.fromEntries(expected));
    });
  });
}

/** Returns the data that the program has understood, by name, in hexadecimal. */
function readElsewhere(program: string, args: (file: string) => string[], text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));
  try {
    const file = join(folder, 'zone');
    writeFileSync(file, text);
    const { records, problems } = parseZoneText(run(program, args(file)), { origin: ORIGIN });
    expect(problems).toEqual([]);
    return Object.fromEntries(
      records
        .filter(({ ownerName }) => ownerName !== ORIGIN)
        .map(({ ownerName, rdata }) => [ownerName, Buffer.from(rdata).toString('hex')]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('Read by named-rrchecker', () => {
  const test = isThere('named-rrchecker', 'bind9') ? it : it.skip;
  const cases = Object.keys(DATA_OF).flatMap((type) =>
    readCases(`${type}.valid`).map((data): [string, string] => [type, data]),
  );

  test.each(cases)('%s %s has the same octets', (type, data) => {
    const wire = Buffer.from(rdataToWire(type, data, null)).toString('hex');
    // Text without quotes is one string here, but several strings in BIND.
    const text = type === 'SPF' && !data.startsWith('"') ? `"${data}"` : data;
    const read = run('named-rrchecker', ['-u'], `IN ${type} ${text}\n`);
    expect(read.split('\t')[2]?.trim().toLowerCase()).toBe(`\\# ${wire.length / 2} ${wire}`);
  });
});
