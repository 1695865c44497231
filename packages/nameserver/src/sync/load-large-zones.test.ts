import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  FeedReading,
  FeedRecord,
  FeedRecordChanges,
  FeedServers,
  FeedZone,
} from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger, systemClock } from '@zonewright/service-kit';
import { ImageWriter } from '../image/image-writer.js';
import { DatabaseIdentityCheck } from './database-identity-check.js';
import { InstalledZones } from './installed-zones.js';
import { ZoneLoader } from './load-zones.js';

const SERVERS: FeedServers = {
  domain: undefined,
  servers: [{ name: 'ns1-1.ns.test.', ipv4: '192.0.2.1', ipv6: null }],
};
const NO_GUARD = { onProgress: () => undefined };
const RECORDS = 1_500;

interface Reading {
  readonly zones: readonly FeedZone[];
  readonly recordsOf?: (zone: FeedZone) => readonly FeedRecord[];
  readonly changes?: FeedRecordChanges | undefined;
}

function zone(name: string, serial: number, recordCount: number): FeedZone {
  return { domainId: name, name, email: 'a@example.com', ttl: 60, serial, recordCount };
}

function record(zoneName: string, ownerName: string): FeedRecord {
  const rdata = Buffer.of(192, 0, 2, 1);
  return { domainId: zoneName, name: ownerName, type: 'A', ttl: null, rdata };
}

function hosts({ name, recordCount }: FeedZone): FeedRecord[] {
  return Array.from({ length: recordCount }, (_, i) => record(name, `h${i}.${name}`));
}

/** Returns batches that may span several zones, like those of the feed. */
function reading({ zones, recordsOf = hosts, changes }: Reading): FeedReading {
  return {
    position: '1',
    lineage: undefined,
    floor: undefined,
    database: undefined,
    horizon: '1:1:',
    log: { inserted: 0, flushed: 0 },
    servers: SERVERS,
    changes: zones.map((living) => ({ name: living.name, zone: living })),
    async *records(domainIds) {
      const all = zones.filter(({ domainId }) => domainIds.includes(domainId)).flatMap(recordsOf);
      for (let at = 0; at < all.length; at += 700) {
        yield await Promise.resolve(all.slice(at, at + 700));
      }
    },
    signedNames: () => [],
    recordChanges: () => Promise.resolve(changes),
  };
}

function goneReading(name: string): FeedReading {
  return { ...reading({ zones: [] }), changes: [{ name, zone: undefined }] };
}

/** Fails if it is called. */
const unread = (): never => {
  throw new Error('The whole zone was read.');
};

let image: ImageWriter;
let loader: ZoneLoader;

beforeEach(() => {
  image = ImageWriter.create(4_194_304);
  const soa = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 };
  const ownSettings = { soa, nameserverDomainTtlSeconds: 60 };
  const log = createLogger('test', 'silent');
  const zones = new InstalledZones({ image, ownSettings, log });
  loader = new ZoneLoader(zones, new DatabaseIdentityCheck(systemClock));
});

const serialOf = (name: string) => image.zoneSerial(nameToWire(name));

describe('a large zone', () => {
  const large = zone('large.test.', 5, RECORDS);
  const one = record('large.test.', 'new.large.test.');
  const oneMore = { names: new Set(['large.test.', 'new.large.test.']), records: [one] };

  beforeEach(async () => {
    await loader.applyAll(reading({ zones: [large] }), NO_GUARD);
  });

  it('is assembled from several batches', () => {
    expect([serialOf('large.test.'), image.records]).toEqual([5, RECORDS + 2]);
  });

  it('is patched with its changes, without reading all of it', async () => {
    const next = zone('large.test.', 6, RECORDS + 1);
    const change = reading({ zones: [next], recordsOf: unread, changes: oneMore });
    expect(await loader.applyChanges(change, NO_GUARD)).toBe(1);
    expect(await loader.applyChanges(change, NO_GUARD)).toBe(0);
    expect([serialOf('large.test.'), image.records]).toEqual([6, RECORDS + 3]);
  });

  it('of a restored database is read as a whole when its serial is higher', async () => {
    await loader.applyAll(reading({ zones: [zone('large.test.', 3, RECORDS)] }), NO_GUARD);
    expect(serialOf('large.test.')).toBe(5);
    const ahead = zone('large.test.', 6, RECORDS + 1);
    const change = reading({ zones: [ahead], recordsOf: unread, changes: oneMore });
    await expect(loader.applyChanges(change, NO_GUARD)).rejects.toThrow('was read');
  });

  it.each<[string, number, FeedRecordChanges | undefined]>([
    ['its journal cannot say what changed', RECORDS + 3, undefined],
    ['the journal and the number of records do not fit together', RECORDS + 3, oneMore],
    [
      'the changes do not result in a valid zone',
      RECORDS + 3,
      { names: new Set(['large.test.']), records: [one] },
    ],
  ])('is read as a whole if %s', async (_what, recordCount, changes) => {
    const next = zone('large.test.', 6, recordCount);
    expect(await loader.applyChanges(reading({ zones: [next], changes }), NO_GUARD)).toBe(1);
    expect([serialOf('large.test.'), image.records]).toEqual([6, recordCount + 2]);
  });
});

it('our choice: while zones are loaded, a zone is compiled after those below it', async () => {
  const zones = ['test.', 'b.a.test.', 'a.test.', 'other.'].map((name) => zone(name, 1, 1));
  const order: string[] = [];
  const guard = {
    onProgress: () => {
      const names = zones.map(({ name }) => name).filter((name) => !order.includes(name));
      order.push(...names.filter((name) => serialOf(name) !== undefined));
    },
  };
  await loader.applyAll(reading({ zones }), guard);
  expect(order[0]).toBe('b.a.test.');
  expect(order[1]).toBe('a.test.');
});

describe('a large zone that must be read as a whole', () => {
  const large = zone('large.test.', 5, 2_000);
  const small = zone('small.test.', 5, 3);

  beforeEach(async () => {
    await loader.applyAll(reading({ zones: [small] }), NO_GUARD);
  });

  it('is read later, and the other zones are compiled at once', async () => {
    const next = zone('small.test.', 6, 3);
    const change = reading({ zones: [large, next] });
    expect(await loader.applyChanges(change, NO_GUARD, '7')).toBe(1);
    expect([serialOf('small.test.'), serialOf('large.test.')]).toEqual([6, undefined]);
    expect(loader.late.next()).toEqual({ zone: large, since: '7' });
    await loader.applyLate(large, change, NO_GUARD);
    expect([serialOf('large.test.'), loader.late.size]).toEqual([5, 0]);
  });

  it('gets no change in the meantime, and is read once more if there was one', async () => {
    await loader.applyChanges(reading({ zones: [large] }), NO_GUARD, '7');
    const later = zone('large.test.', 6, 2_001);
    await loader.applyChanges(reading({ zones: [later], recordsOf: unread }), NO_GUARD, '9');
    expect(loader.late.next()).toEqual({ zone: later, since: '7' });
    await loader.applyLate(large, reading({ zones: [large] }), NO_GUARD);
    expect([serialOf('large.test.'), loader.late.size]).toEqual([5, 1]);
    await loader.applyLate(later, reading({ zones: [later] }), NO_GUARD);
    expect([serialOf('large.test.'), loader.late.size]).toEqual([6, 0]);
  });

  it('never goes back: an older version that arrives late changes nothing', async () => {
    const later = zone('large.test.', 6, 2_001);
    await loader.applyChanges(reading({ zones: [later] }), NO_GUARD);
    await loader.applyLate(large, reading({ zones: [large], recordsOf: unread }), NO_GUARD);
    expect(serialOf('large.test.')).toBe(6);
  });

  it.each([
    ['it is deleted', () => loader.applyChanges(goneReading('large.test.'), NO_GUARD, '9')],
    ['all zones are read', () => loader.applyAll(reading({ zones: [large] }), NO_GUARD)],
  ])('is no longer read separately if %s', async (_, apply) => {
    await loader.applyChanges(reading({ zones: [large] }), NO_GUARD, '7');
    await apply();
    expect(loader.late.size).toBe(0);
  });
});
