import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rdataToWire, RR_TYPE } from '../src/index.js';
import type { Rrset } from '../src/dnssec/index.js';
import { nsecFromWire, typeCoveredBy, canonicalKey } from '../src/dnssec/index.js';
import { KeptZone, verifyWith } from './support/kept-zone.js';

const folder = mkdtempSync(join(tmpdir(), 'zonewright-dnssec-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A small set of labels, so that names are related: parents, children, wildcards, octets with an unusual order. */
const LABELS = ['a', 'b', '*', 'Z', String.raw`\000`, String.raw`\001`, 'a-', 'xn--0'];
const aName = fc
  .array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 4 })
  .map((labels) => `${labels.join('.')}.example.`);
const aRrset: fc.Arbitrary<Rrset> = fc.oneof(
  rrsets('A', ['192.0.2.1', '192.0.2.2']),
  rrsets('TXT', ['"one"', '"two" "three"']),
  rrsets('MX', ['Mail.Example.', 'other.test.'], 10),
  rrsets('NS', ['ns1.test.', 'NS2.test.']),
  rrsets('TYPE1234', [String.raw`\# 2 0102`]),
);

function rrsets(type: string, data: readonly string[], priority: number | null = null) {
  const number = type === 'TYPE1234' ? 1234 : RR_TYPE[type as keyof typeof RR_TYPE];
  return fc.record({
    type: fc.constant(number),
    ttl: fc.constantFrom(60, 3_600),
    rdatas: fc
      .subarray([...data], { minLength: 1 })
      .map((texts) => texts.map((text) => rdataToWire(type, text, priority))),
  });
}

const someRrsets = fc.uniqueArray(aRrset, { maxLength: 3, selector: ({ type }) => type });
/**
 * Changes of the data at some names at once. NS records at a wildcard have no defined meaning (RFC 4592, section 4.2),
 * and programs differ.
 */
const aChange = fc.array(
  fc
    .tuple(aName, someRrsets)
    .map(
      ([name, data]) =>
        [
          name,
          name.startsWith('*') ? data.filter(({ type }) => type !== RR_TYPE.NS) : data,
        ] as const,
    ),
  { minLength: 1, maxLength: 5 },
);
const changes = fc.array(aChange, { minLength: 1, maxLength: 12 });

function grow(steps: typeof changes extends fc.Arbitrary<infer T> ? T : never, algorithm: 13 | 15) {
  const zone = new KeptZone('example.', algorithm);
  for (const step of steps)
    zone.apply(new Map(step.map(([name, data]) => [zone.keyOf(name), data])));
  return zone;
}

/** Returns the same zone, signed in one step. */
function signedAtOnce(zone: KeptZone): KeptZone {
  const other = new KeptZone('example.', 13);
  other.apply(new Map([...zone.names].filter(([key]) => key !== '')));
  return other;
}

const shape = (zone: KeptZone) =>
  [...zone.kept]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, records]) => [
      key,
      records
        .filter(({ type }) => type !== RR_TYPE.DNSKEY)
        .map(({ type, ttl, rdata }) =>
          type === RR_TYPE.RRSIG
            ? `RRSIG ${ttl} ${typeCoveredBy(rdata)}`
            : `${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`,
        )
        .sort(),
    ]);

describe('RFC 4035 s2: the content of a signed zone', () => {
  it('is the same after many changes as after signing everything in one step', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const zone = grow(steps, 15);
        expect(shape(zone)).toEqual(shape(signedAtOnce(zone)));
      }),
      { numRuns: 60 },
    );
  });

  it('is a ring of all names', () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const { kept, apex } = grow(steps, 15);
        const keys = [...kept.keys()].sort();
        const next = keys.map((key) => {
          const nsec = kept.get(key)?.find(({ type }) => type === RR_TYPE.NSEC);
          return canonicalKey(nsecFromWire(nsec!.rdata).next, apex);
        });
        expect(next).toEqual([...keys.slice(1), '']);
      }),
      { numRuns: 60 },
    );
  });

  it('costs 2 signatures for new data, 3 for an additional type, 4 for an additional name, 2 for a removed name', () => {
    const zone = new KeptZone('example.', 13);
    const a = (data: string): Rrset => ({
      type: 1,
      ttl: 60,
      rdatas: [rdataToWire('A', data, null)],
    });
    const txt: Rrset = { type: 16, ttl: 60, rdatas: [rdataToWire('TXT', '"x"', null)] };
    const set = (name: string, ...data: Rrset[]) => zone.apply(new Map([[zone.keyOf(name), data]]));
    set('a.example.', a('192.0.2.1'));
    // The SOA of these tests keeps its serial, so it is not signed again.
    expect([
      set('a.example.', a('192.0.2.2')),
      set('a.example.', a('192.0.2.2'), txt),
      set('b.example.', a('192.0.2.1')),
      set('b.example.'),
    ]).toEqual([1, 2, 3, 1]);
  });
});

const PROGRAMS: readonly [program: string, package_: string, args: (file: string) => string[]][] = [
  ['dnssec-verify', 'bind9-utils', (file) => ['-q', '-z', '-o', 'example.', file]],
  ['ldns-verify-zone', 'ldnsutils', (file) => ['-V1', file]],
];

describe.each(PROGRAMS)('%s', (program, package_, args) => {
  const isThere = spawnSync(program, ['-h']).error === undefined;
  if (!isThere)
    process.stderr.write(`SKIPPED (no ${program}; Debian's package ${package_} has it)\n`);
  (isThere ? it : it.skip).each([13, 15] as const)(
    'finds nothing wrong with zones that have changed, algorithm %s',
    (algorithm) => {
      for (const [at, steps] of fc.sample(changes, 8).entries()) {
        const file = join(folder, `${program}-${algorithm}-${at}`);
        writeFileSync(file, grow(steps, algorithm).toText());
        expect(() => {
          verifyWith(program, args(file));
        }).not.toThrow();
      }
    },
    60_000,
  );
});
