import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE, typeMnemonic } from '@zonewright/dns-records';
import type { NameContent, Rrset } from '@zonewright/dns-records/dnssec';
import { toNameContent } from './read-names.js';

const APEX = 'example.';

function ns(ttl: number, ...names: string[]): Rrset {
  return { type: RR_TYPE.NS, ttl, rdatas: names.map((name) => nameToWire(name)) };
}

function written(type: string, ttl: number, rdata: Uint8Array) {
  return { name: APEX, type, ttl, rdata: Buffer.from(rdata) };
}

function show(rrsets: readonly Rrset[] = []): string[] {
  return rrsets.map(
    ({ type, ttl, rdatas }) => `${typeMnemonic(type)} ${ttl} ${rdatas.map(hex).join(' ')}`,
  );
}

function hex(rdata: Uint8Array): string {
  return Buffer.from(rdata).toString('hex');
}

function isCut(content: NameContent | undefined): boolean | undefined {
  return content?.isCut;
}

const at = (
  name: string,
  records: Parameters<typeof toNameContent>[0]['records'],
  provided: readonly Rrset[] = [],
) => toNameContent({ name, apex: APEX, records, provided });

describe('content of a name of a signed zone', () => {
  const own = written('NS', 60, nameToWire('ns.other.'));
  const both = `NS 60 ${[nameToWire('ns.other.'), nameToWire('ns1.here.')]
    .map(hex)
    .toSorted()
    .join(' ')}`;

  it.each([
    ['at the apex', APEX],
    ['at the cut of a child that is hosted here', `child.${APEX}`],
  ])(
    'RFC 4035 s2.2: NS records of the service and of users %s are one RRset, with the lowest TTL',
    (_, name) => {
      const content = at(name, [own], [ns(300, 'ns1.here.')]);
      expect(show(content?.rrsets)).toEqual([both]);
      expect(show(content?.provided)).toEqual([both]);
    },
  );

  it('contains a record once that both have', () => {
    const same = written('NS', 300, nameToWire('NS1.Here.'));
    expect(show(at(APEX, [same], [ns(300, 'ns1.here.')])?.provided)).toEqual([
      `NS 300 ${hex(nameToWire('ns1.here.'))}`,
    ]);
  });

  it('stores RRsets that only users have only in their records', () => {
    const address = written('A', 60, Uint8Array.of(192, 0, 2, 1));
    const content = at(APEX, [address], [ns(300, 'ns1.here.')]);
    expect(show(content?.rrsets)).toHaveLength(2);
    expect(show(content?.provided)).toEqual([`NS 300 ${hex(nameToWire('ns1.here.'))}`]);
  });

  it.each(['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY'])(
    'omits %s records of an earlier primary',
    (type) => {
      const left = written(type, 60, Uint8Array.of(0, 1, 2, 3));
      expect(at('a.example.', [left])).toBeUndefined();
      const content = at(APEX, [left], [ns(300, 'ns1.here.')]);
      expect(show(content?.rrsets)).toEqual([`NS 300 ${hex(nameToWire('ns1.here.'))}`]);
    },
  );

  it.each([
    ['below the apex is a cut', 'cut.example.', true],
    ['at the apex is not a cut', APEX, false],
    ['at a wildcard is not a cut (RFC 4592 s4.2)', '*.example.', false],
  ])('NS %s', (_, name, expected) => {
    expect(isCut(at(name, [own]))).toBe(expected);
  });

  it.each([
    ['below the apex', 'old.example.', true],
    ['at the apex', APEX, true],
    ['at a wildcard, not (RFC 4592 s4.4)', '*.example.', false],
  ])('DNAME hides the names below it %s', (_, name, expected) => {
    const content = at(name, [written('DNAME', 60, nameToWire('example.net.'))]);
    expect(content).toMatchObject({ isCut: false, hidesNames: expected });
  });
});
