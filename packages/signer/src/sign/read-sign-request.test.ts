import { describe, expect, it } from '@jest/globals';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  CDNSKEY_DELETE,
  CDS_DELETE,
  CSK_FLAGS,
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
  generateSigningKey,
  keyTagOf,
  ZSK_FLAGS,
} from '@zonewright/dns-records/dnssec';
import type { ZoneKey } from '@zonewright/zones';
import { randomUUID } from 'node:crypto';
import { readRequests, requireOfZone, type SignRequest } from './read-sign-request.js';

const ADDRESS = rdataToWire('A', '192.0.2.1', null);
const toText = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

const ITEM = {
  owner: toText(nameToWire('www.example.')),
  type: RR_TYPE.A as number,
  ttl: 300,
  rdatas: [toText(ADDRESS)],
};
const REQUEST = { zoneId: randomUUID(), keys: 'version', items: [ITEM] };

function readAll(body: unknown): SignRequest[] {
  const read = readRequests(body);
  return Array.isArray(read) ? read.map((each) => each()) : [read];
}

const withItem = (change: object) => ({ ...REQUEST, items: [{ ...ITEM, ...change }] });

describe('readRequests', () => {
  const item = {
    owner: Buffer.from(nameToWire('www.example.')),
    rrset: { type: RR_TYPE.A, ttl: 300, rdatas: [Buffer.from(ADDRESS)] },
  };
  const request = { zoneId: REQUEST.zoneId, keyVersion: 'version', items: [item] };

  it('reads a single request, and several', () => {
    expect(readAll(REQUEST)).toEqual([request]);
    expect(readAll({ requests: [REQUEST, REQUEST] })).toEqual([request, request]);
  });

  it('an invalid request among others fails alone', () => {
    const [first, second] = readRequests({ requests: [null, REQUEST] }) as (() => SignRequest)[];
    expect(first).toThrow('zoneId must be a UUID.');
    expect(second!()).toEqual(request);
  });

  it.each<[string, unknown]>([
    ['64 at a time', { requests: Array(64).fill(REQUEST) }],
    ['5,000 RRsets', { ...REQUEST, items: Array(5_000).fill(ITEM) }],
    ['the largest TTL', withItem({ ttl: 2 ** 31 - 1 })],
    ['the TTL 0', withItem({ ttl: 0 })],
    ['the largest type', withItem({ type: 65_535 })],
    ['65,535 octets', withItem({ rdatas: [toText(Buffer.alloc(65_535))] })],
  ])('reads %s', (_, body) => {
    expect(readAll(body)).not.toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', null, 'zoneId must be a UUID'],
    ['no list', { requests: {} }, 'requests must be a list of 1 to 64'],
    ['no request', { requests: [] }, 'requests must be a list of 1 to 64'],
    ['65 at a time', { requests: Array(65).fill(REQUEST) }, 'requests must be a list of 1 to 64'],
    ['a zone that is not a UUID', { ...REQUEST, zoneId: 'example.' }, 'zoneId must be a UUID'],
    ['a zone that is not a string', { ...REQUEST, zoneId: 7 }, 'zoneId must be a UUID'],
    ['keys that are not a string', { ...REQUEST, keys: 7 }, 'keys must be a string'],
    ['no keys', { ...REQUEST, keys: undefined }, 'keys must be a string'],
    ['no items', { ...REQUEST, items: [] }, 'items must be a list of 1 to 5000'],
    ['items that are not a list', { ...REQUEST, items: {} }, 'items must be a list of 1 to 5000'],
    ['5,001 items', { ...REQUEST, items: Array(5_001).fill(ITEM) }, 'items must be a list of 1'],
    [
      'an empty item',
      { ...REQUEST, items: [null] },
      'items[0].type must be the number of a record type',
    ],
    ['a type that is a string', withItem({ type: 'A' }), 'items[0].type must be the number'],
    ['a type below 0', withItem({ type: -1 }), 'items[0].type must be the number of a record type'],
    ['a type above 65,535', withItem({ type: 65_536 }), 'items[0].type must be the number'],
    ['a TTL of 32 bits', withItem({ ttl: 2 ** 31 }), 'items[0].ttl must be a TTL'],
    ['half a second', withItem({ ttl: 0.5 }), 'items[0].ttl must be a TTL'],
    ['no rdata', withItem({ rdatas: [] }), 'items[0].rdatas must be a list with at least one item'],
    ['rdata outside of a list', withItem({ rdatas: 'x' }), 'items[0].rdatas must be a list'],
    [
      'rdata that is a number',
      withItem({ rdatas: [1] }),
      'items[0].rdatas must be octets in base64',
    ],
    ['65,536 octets', withItem({ rdatas: [toText(Buffer.alloc(65_536))] }), 'rdatas is too long'],
    ['no owner', withItem({ owner: undefined }), 'items[0].owner must be octets in base64'],
  ])('refuses %s', (_, body, message) => {
    expect(() => readAll(body)).toThrow(message);
  });
});

function keyOf(change: Partial<ZoneKey> = {}): ZoneKey {
  const { publicKey } = generateSigningKey(13);
  const flags = change.flags ?? CSK_FLAGS;
  const keyTag = keyTagOf({ flags, algorithm: 13, publicKey });
  const at = new Date(0);
  return {
    ...{ id: String(keyTag), algorithm: 13, flags, keyTag, publicKey, state: 'active' },
    ...{ publishedAt: at, activeAt: at, dsSeenAt: null, retireAt: null },
    ...{ removedAt: null, dsFrom: null, ...change },
  };
}

const OWN = keyOf();
const HELD = keyOf({ dsFrom: new Date(1) });
const FOREIGN = keyOf({ state: 'foreign' });
/** A key of another provider, which appears only in DNSKEY. */
const FOREIGN_ZSK = keyOf({ state: 'foreign', flags: ZSK_FLAGS });
const FOREIGN_LEAVING = keyOf({ state: 'foreign', retireAt: new Date(1) });
const STRANGER = keyOf();

const cds = (key: ZoneKey) => dsToWire(nameToWire('example.'), key, DIGEST_TYPES.sha256);

function check(
  type: number,
  rdatas: readonly Uint8Array[],
  { owner = 'example.', keys = [OWN], foreign = [] as ZoneKey[], others = [] as number[] } = {},
): void {
  const item = (each: number, at: string) => ({
    owner: nameToWire(at),
    rrset: { type: each, ttl: 300, rdatas },
  });
  const zone = { zoneName: 'example.', keys: keys as never[], foreign };
  requireOfZone([...others.map((each) => item(each, 'example.')), item(type, owner)], zone);
}

describe('requireOfZone', () => {
  it.each([
    ['example.', RR_TYPE.A],
    ['www.example.', RR_TYPE.A],
    ['WWW.Example.', RR_TYPE.A],
    ['www.example.', 127],
    ['www.example.', 256],
  ])('accepts records of the zone: %s, type %s', (owner, type) => {
    expect(() => {
      check(type, [ADDRESS], { owner });
    }).not.toThrow();
  });

  it.each([
    ['a name outside', 'www.example.net.', RR_TYPE.A, 'is outside example.'],
    ['a name that ends alike', 'an-example.', RR_TYPE.A, 'is outside example.'],
    ['type 0', 'example.', 0, 'cannot be signed'],
    ['RRSIG', 'example.', RR_TYPE.RRSIG, 'cannot be signed'],
    ['OPT', 'example.', RR_TYPE.OPT, 'cannot be signed'],
    ['the first type of queries', 'example.', 128, 'cannot be signed'],
    ['the last type of queries', 'example.', 255, 'cannot be signed'],
  ])('RFC 6895 s3.1: refuses %s', (_, owner, type, message) => {
    expect(() => {
      check(type, [ADDRESS], { owner });
    }).toThrow(message);
  });

  it.each([
    ['no name', Buffer.from([63, 1])],
    ['a name and more', Buffer.concat([nameToWire('www.example.'), Buffer.from([1])])],
  ])('refuses an owner that is %s', (_, owner) => {
    const rrset = { type: RR_TYPE.A, ttl: 300, rdatas: [ADDRESS] };
    const zone = { zoneName: 'example.', keys: [], foreign: [] };
    expect(() => {
      requireOfZone([{ owner, rrset }], zone);
    }).toThrow('items[0].owner is not a name');
  });

  it.each<[string, number, readonly Uint8Array[], Parameters<typeof check>[2]]>([
    ['its own key', RR_TYPE.DNSKEY, [dnskeyToWire(OWN)], {}],
    ['a key whose DS is held back', RR_TYPE.DNSKEY, [dnskeyToWire(HELD)], { keys: [HELD] }],
    ['CDS of its own key', RR_TYPE.CDS, [cds(OWN)], {}],
    ['CDNSKEY of its own key', RR_TYPE.CDNSKEY, [dnskeyToWire(OWN)], {}],
    ['the deletion of DS (RFC 8078 s4)', RR_TYPE.CDS, [CDS_DELETE], { foreign: [FOREIGN] }],
    ['it beside another', RR_TYPE.CDS, [CDS_DELETE, cds(OWN)], { foreign: [FOREIGN] }],
    ['the same as a key', RR_TYPE.CDNSKEY, [CDNSKEY_DELETE], { foreign: [FOREIGN] }],
    [
      'all keys with those of the other provider',
      RR_TYPE.DNSKEY,
      [OWN, FOREIGN, FOREIGN_ZSK].map(dnskeyToWire),
      { foreign: [FOREIGN, FOREIGN_ZSK] },
    ],
    ['CDS with that provider', RR_TYPE.CDS, [OWN, FOREIGN].map(cds), { foreign: [FOREIGN] }],
    [
      'CDS without a key of theirs that is to go or has none',
      RR_TYPE.CDS,
      [cds(OWN)],
      { foreign: [FOREIGN_ZSK, FOREIGN_LEAVING] },
    ],
  ])('accepts %s at the apex', (_, type, rdatas, zone) => {
    expect(() => {
      check(type, rdatas, zone);
    }).not.toThrow();
  });

  const NOT_OF_ZONE = 'do not belong to the keys of the zone';
  const INCOMPLETE = 'lack the keys of the other provider';
  it.each<[string, number, readonly Uint8Array[], Parameters<typeof check>[2], string]>([
    ["a stranger's key", RR_TYPE.DNSKEY, [dnskeyToWire(STRANGER)], {}, NOT_OF_ZONE],
    [
      "a stranger's key beside its own",
      RR_TYPE.DNSKEY,
      [OWN, STRANGER].map(dnskeyToWire),
      {},
      NOT_OF_ZONE,
    ],
    [
      "a stranger's key behind records of other types",
      RR_TYPE.DNSKEY,
      [dnskeyToWire(STRANGER)],
      { others: [RR_TYPE.A] },
      NOT_OF_ZONE,
    ],
    ["CDS of a stranger's key", RR_TYPE.CDS, [OWN, STRANGER].map(cds), {}, NOT_OF_ZONE],
    ["CDNSKEY of a stranger's key", RR_TYPE.CDNSKEY, [dnskeyToWire(STRANGER)], {}, NOT_OF_ZONE],
    [
      'its own key below the apex',
      RR_TYPE.DNSKEY,
      [dnskeyToWire(OWN)],
      { owner: 'www.example.' },
      NOT_OF_ZONE,
    ],
    ['CDS while it is held back', RR_TYPE.CDS, [cds(HELD)], { keys: [HELD] }, NOT_OF_ZONE],
    [
      'CDNSKEY while it is held back',
      RR_TYPE.CDNSKEY,
      [dnskeyToWire(HELD)],
      { keys: [HELD] },
      NOT_OF_ZONE,
    ],
    ['the deletion as DNSKEY', RR_TYPE.DNSKEY, [CDNSKEY_DELETE], {}, NOT_OF_ZONE],
    [
      'CDS of a key of theirs that is to go',
      RR_TYPE.CDS,
      [OWN, FOREIGN_LEAVING].map(cds),
      { foreign: [FOREIGN_LEAVING] },
      NOT_OF_ZONE,
    ],
    [
      'DNSKEY without all of theirs',
      RR_TYPE.DNSKEY,
      [OWN, FOREIGN].map(dnskeyToWire),
      { foreign: [FOREIGN, FOREIGN_ZSK] },
      INCOMPLETE,
    ],
    ['CDS without theirs', RR_TYPE.CDS, [cds(OWN)], { foreign: [FOREIGN] }, INCOMPLETE],
    [
      'CDNSKEY without theirs',
      RR_TYPE.CDNSKEY,
      [dnskeyToWire(OWN)],
      { foreign: [FOREIGN] },
      INCOMPLETE,
    ],
  ])('refuses %s', (_, type, rdatas, zone, message) => {
    expect(() => {
      check(type, rdatas, zone);
    }).toThrow(message);
  });
});
