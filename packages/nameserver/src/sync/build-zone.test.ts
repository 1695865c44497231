import { describe, expect, it } from '@jest/globals';
import type { FeedRecord, FeedZone } from '@zonewright/database';
import {
  nameToWire,
  rdataFromWire,
  rdataToWire,
  RR_TYPE,
  typeMnemonic,
  wireToName,
} from '@zonewright/dns-records';
import { canonicalKey, signedRecordsToOctets } from '@zonewright/dns-records/dnssec';
import type { ZoneContent } from '../compile/zone-tree.js';
import {
  buildNameserverZone,
  buildSharedZone,
  buildSignedZone,
  buildUserZone,
  latestApex,
  type NameserverDomainContent,
} from './build-zone.js';

const CONTENT: NameserverDomainContent = {
  servers: {
    domain: { name: 'ns.test.', email: 'ops@ns.test', serial: 20, changedIn: '1' },
    servers: [
      { name: 'ns1-1.ns.test.', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
      { name: 'ns1-2.elsewhere.test.', ipv4: '192.0.2.2', ipv6: null },
    ],
  },
  settings: {
    soa: {
      refreshSeconds: 14_400,
      retrySeconds: 3_600,
      expireSeconds: 1_209_600,
      minimumSeconds: 300,
    },
    nameserverDomainTtlSeconds: 900,
  },
};
const APEX = latestApex(CONTENT);

function zone(name: string, serial = 7): FeedZone {
  return {
    domainId: 'id',
    name,
    email: 'dns.admin@example.com',
    ttl: 3_600,
    serial,
    recordCount: 0,
  };
}

function addressRecord(name: string, ttl: number | null): FeedRecord {
  const rdata = Buffer.from(rdataToWire('A', '203.0.113.9', null));
  return { domainId: 'id', name, type: 'A', ttl, rdata };
}

/** Shows the records as `owner TTL type data`, sorted. */
function lines({ records }: ZoneContent): string[] {
  return [...records]
    .map(({ owner, ttl, type, rdata }) => {
      const mnemonic = typeMnemonic(type);
      return `${wireToName(owner)} ${ttl} ${mnemonic} ${rdataFromWire(mnemonic, rdata).data}`;
    })
    .sort();
}

describe('buildUserZone', () => {
  it('D-NS: adds an SOA with the configured times, and NS for all servers', () => {
    expect(lines(buildUserZone(zone('zone.test.'), [], APEX))).toEqual([
      'zone.test. 3600 NS ns1-1.ns.test.',
      'zone.test. 3600 NS ns1-2.elsewhere.test.',
      'zone.test. 3600 SOA ns1-1.ns.test. dns\\.admin.example.com. 7 14400 3600 1209600 300',
    ]);
  });

  it('D-REC: a record without a TTL has the TTL of the zone', () => {
    const records = [addressRecord('a.zone.test.', null), addressRecord('b.zone.test.', 5)];
    const content = buildUserZone(zone('zone.test.'), records, APEX);
    expect(lines(content)).toEqual(
      expect.arrayContaining(['a.zone.test. 3600 A 203.0.113.9', 'b.zone.test. 5 A 203.0.113.9']),
    );
    expect(content.serial).toBe(7);
  });
});

describe('buildSignedZone', () => {
  const apex = nameToWire('zone.test.');
  const written = (type: string, rdata: Uint8Array): FeedRecord => ({
    ...{ domainId: 'id', name: 'zone.test.', type, ttl: 60, rdata: Buffer.from(rdata) },
  });
  const signed = (name: string, ...types: number[]) => ({
    domainId: 'id',
    canonical: Buffer.from(canonicalKey(nameToWire(name), apex), 'latin1'),
    records: Buffer.from(
      signedRecordsToOctets(
        types.map((type) => ({ type, ttl: 30, rdata: nameToWire('ns.test.') })),
      ),
    ),
  });
  const types = (records: readonly FeedRecord[], ...names: ReturnType<typeof signed>[]) =>
    [...buildSignedZone(zone('zone.test.'), records, names).records].map(
      ({ owner, ttl, type }) => `${wireToName(owner)} ${ttl} ${typeMnemonic(type)}`,
    );

  it('RFC 4035 s2.2: takes an RRset that was signed as a whole only from the signed name', () => {
    const records = [written('NS', nameToWire('other.test.')), addressRecord('a.zone.test.', 5)];
    expect(types(records, signed('zone.test.', RR_TYPE.NS))).toEqual([
      'zone.test. 30 NS',
      'a.zone.test. 5 A',
    ]);
  });

  it.each(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY'])(
    'omits %s records of an earlier signer in a zone that was a secondary',
    (type) => {
      const left = written(type, Uint8Array.of(0, 1, 2));
      expect(types([left], signed('zone.test.', RR_TYPE.NS))).toEqual(['zone.test. 30 NS']);
      expect(types([{ ...left, name: 'x.zone.test.' }])).toEqual([]);
    },
  );
});

describe('buildNameserverZone', () => {
  it('D-NS: contains the addresses of the servers whose names are in it', () => {
    const content = buildNameserverZone(CONTENT.servers.domain!, 0, CONTENT);
    expect(lines(content)).toEqual([
      'ns.test. 900 NS ns1-1.ns.test.',
      'ns.test. 900 NS ns1-2.elsewhere.test.',
      'ns.test. 900 SOA ns1-1.ns.test. ops.ns.test. 20 14400 3600 1209600 300',
      'ns1-1.ns.test. 900 A 192.0.2.1',
      'ns1-1.ns.test. 900 AAAA 2001:db8::1',
    ]);
  });

  it('never decreases its serial', () => {
    const content = buildNameserverZone(CONTENT.servers.domain!, 30, CONTENT);
    expect(content.serial).toBe(30);
  });
});

describe('buildSharedZone', () => {
  it("our choice: the servers table determines the names of servers, and the user's records all other names", () => {
    const records = [addressRecord('ns1-1.ns.test.', null), addressRecord('www.ns.test.', null)];
    const content = buildSharedZone(zone('ns.test.'), records, 0, CONTENT);
    expect(lines(content).filter((line) => !line.startsWith('ns.test.'))).toEqual([
      'ns1-1.ns.test. 900 A 192.0.2.1',
      'ns1-1.ns.test. 900 AAAA 2001:db8::1',
      'www.ns.test. 3600 A 203.0.113.9',
    ]);
  });

  it.each([
    [7, 0, 20],
    [25, 0, 25],
    [25, 40, 40],
  ])('has the highest serial of user (%i), image (%i) and servers: %i', (user, image, expected) => {
    const content = buildSharedZone(zone('ns.test.', user), [], image, CONTENT);
    expect(content.serial).toBe(expected);
  });
});
