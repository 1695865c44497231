import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FeedReading, FeedRecord, FeedServers, FeedZone } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger, systemClock } from '@zonewright/service-kit';
import { ImageWriter } from '../image/image-writer.js';
import { DatabaseIdentityCheck } from './database-identity-check.js';
import { InstalledZones } from './installed-zones.js';
import { ZoneLoader } from './load-zones.js';

const SERVERS: FeedServers = {
  domain: { name: 'ns.test.', email: 'ops@ns.test', serial: 5, changedIn: '1' },
  servers: [{ name: 'ns1-1.ns.test.', ipv4: '192.0.2.1', ipv6: null }],
};
const OTHER_SERVERS: FeedServers = {
  ...SERVERS,
  servers: [{ name: 'ns1-1.ns.test.', ipv4: '192.0.2.9', ipv6: null }],
};
const NO_GUARD = { onProgress: () => undefined };

function zone(name: string, serial: number): FeedZone {
  return { domainId: name, name, email: 'a@example.com', ttl: 60, serial, recordCount: 1 };
}

function record(zoneName: string, ownerName = zoneName): FeedRecord {
  const rdata = Buffer.of(192, 0, 2, 1);
  return { domainId: zoneName, name: ownerName, type: 'A', ttl: null, rdata };
}

/** Returns a reading with zones, and with names whose zone no longer exists; it reads records zone by zone. */
function reading(
  zones: readonly FeedZone[],
  options: { gone?: string[]; servers?: FeedServers; breakAt?: string; owner?: string } = {},
): FeedReading {
  return {
    position: '1',
    horizon: '2:2:',
    log: { inserted: 0, flushed: 0 },
    lineage: undefined,
    floor: undefined,
    database: undefined,
    servers: options.servers ?? SERVERS,
    changes: [
      ...zones.map((living) => ({ name: living.name, zone: living })),
      ...(options.gone ?? []).map((name) => ({ name, zone: undefined })),
    ],
    async *records(domainIds) {
      for (const id of domainIds) {
        if (id === options.breakAt) throw new Error('the connection is lost');
        yield await Promise.resolve([record(id, options.owner)]);
      }
    },
    signedNames: () => [],
    recordChanges: () => Promise.resolve(undefined),
  };
}

let image: ImageWriter;
let zones: InstalledZones;
let loader: ZoneLoader;

beforeEach(() => {
  image = ImageWriter.create(1_048_576);
  const soa = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 };
  const ownSettings = { soa, nameserverDomainTtlSeconds: 60 };
  const log = createLogger('test', 'silent');
  zones = new InstalledZones({ image, ownSettings, log });
  loader = new ZoneLoader(zones, new DatabaseIdentityCheck(systemClock));
});

const serialOf = (name: string) => image.zoneSerial(nameToWire(name));

describe('ZoneLoader', () => {
  it('changes nothing when it applies a reading again', async () => {
    const all = reading([zone('a.test.', 1), zone('b.test.', 2)]);
    expect(await loader.applyAll(all, NO_GUARD)).toBe(3);
    expect(await loader.applyChanges(all, NO_GUARD)).toBe(0);
    const change = reading([zone('a.test.', 3)], { gone: ['b.test.'] });
    expect(await loader.applyChanges(change, NO_GUARD)).toBe(2);
    expect(await loader.applyChanges(change, NO_GUARD)).toBe(0);
    expect([serialOf('a.test.'), serialOf('b.test.')]).toEqual([3, undefined]);
  });

  it('never decreases a serial, not even for new servers', async () => {
    await loader.applyAll(reading([zone('a.test.', 7)]), NO_GUARD);
    await loader.applyChanges(reading([zone('a.test.', 6)]), NO_GUARD);
    await loader.applyAll(reading([zone('a.test.', 5)], { servers: OTHER_SERVERS }), NO_GUARD);
    expect(serialOf('a.test.')).toBe(7);
  });

  it('repeats an interrupted compilation until every zone has the new servers', async () => {
    const both = [zone('a.test.', 1), zone('b.test.', 1)];
    await loader.applyAll(reading(both), NO_GUARD);
    const broken = reading(both, { servers: OTHER_SERVERS, breakAt: 'b.test.' });
    expect(loader.mustReadAll(broken)).toBe(true);
    await expect(loader.applyAll(broken, NO_GUARD)).rejects.toThrow('the connection is lost');
    const again = reading(both, { servers: OTHER_SERVERS });
    expect(loader.mustReadAll(again)).toBe(true);
    expect(await loader.applyAll(again, NO_GUARD)).toBe(3);
    expect(loader.mustReadAll(again)).toBe(false);
  });

  describe('by serial (ADR 0025)', () => {
    const soa = { refreshSeconds: 2, retrySeconds: 2, expireSeconds: 2, minimumSeconds: 2 };
    const bySerial = (servers: FeedServers): FeedServers => ({
      ...servers,
      settings: { soa, nameserverDomainTtlSeconds: 60 },
    });
    const withApex = (name: string, serial: number, servers: readonly string[]): FeedZone => ({
      ...zone(name, serial),
      apex: { servers, soa },
    });
    /** The number of NS records at the apex of `a.test.`: all records except its SOA and one other record. */
    const serversOf = () => image.records - 1 - 1;
    const ALONE: FeedServers = { domain: undefined, servers: SERVERS.servers };

    it('zones from before migration 0018 are compiled once with their serials', async () => {
      await loader.applyAll(reading([zone('a.test.', 1)], { servers: ALONE }), NO_GUARD);
      const two = withApex('a.test.', 1, ['ns1.test.', 'ns2.test.']);
      const migrated = reading([two], { servers: bySerial(ALONE) });
      expect(loader.mustReadAll(migrated)).toBe(true);
      await loader.applyAll(migrated, NO_GUARD);
      expect(serversOf()).toBe(2);
      expect(loader.mustReadAll(migrated)).toBe(false);
    });

    it('other servers change a zone with its serial, and not earlier', async () => {
      const servers = bySerial(ALONE);
      await loader.applyAll(
        reading([withApex('a.test.', 1, ['ns1.test.'])], { servers }),
        NO_GUARD,
      );
      const others = { ...servers, servers: [...servers.servers, ...OTHER_SERVERS.servers] };
      const changed = reading([], { servers: others });
      expect(loader.mustReadAll(changed)).toBe(false);
      await loader.applyChanges(changed, NO_GUARD);
      expect(serversOf()).toBe(1);
      const raised = withApex('a.test.', 2, ['ns1.test.', 'ns2.test.', 'ns3.test.']);
      await loader.applyChanges(reading([raised], { servers: others }), NO_GUARD);
      expect([serialOf('a.test.'), serversOf()]).toEqual([2, 3]);
    });

    it('the nameserver domain has the other servers at once, with a new serial', async () => {
      const servers = bySerial(SERVERS);
      await loader.applyAll(reading([], { servers }), NO_GUARD);
      const domain = { ...SERVERS.domain!, serial: 9 };
      const changed = reading([], { servers: { ...servers, domain, servers: [] } });
      expect(loader.mustReadAll(changed)).toBe(false);
      expect(await loader.applyChanges(changed, NO_GUARD)).toBe(1);
      expect(await loader.applyChanges(changed, NO_GUARD)).toBe(0);
      expect(serialOf('ns.test.')).toBe(9);
    });

    it("a user's zone of that name is compiled with them, for which all may have to be read", async () => {
      const servers = bySerial(SERVERS);
      const shared = withApex('ns.test.', 3, []);
      await loader.applyAll(reading([shared], { servers }), NO_GUARD);
      const moved = { ...servers, domain: { ...SERVERS.domain!, serial: 9 } };
      expect(loader.mustReadAll(reading([], { servers: moved }))).toBe(true);
      expect(loader.mustReadAll(reading([shared], { servers: moved }))).toBe(true);
      const next = reading([withApex('ns.test.', 9, [])], { servers: moved });
      expect(loader.mustReadAll(next)).toBe(false);
      expect(await loader.applyChanges(next, NO_GUARD)).toBe(2);
      expect(serialOf('ns.test.')).toBe(9);
    });
  });

  it('stops between two zones when the reading was abandoned', async () => {
    const guard = {
      onProgress: () => {
        if (serialOf('a.test.') !== undefined) throw new Error('given up');
      },
    };
    const both = reading([zone('a.test.', 1), zone('b.test.', 1)]);
    await expect(loader.applyAll(both, guard)).rejects.toThrow('given up');
    expect([serialOf('a.test.'), serialOf('b.test.')]).toEqual([1, undefined]);
  });

  it('a version that cannot be compiled is tried once, and the next one is tried again', async () => {
    await loader.applyAll(reading([zone('a.test.', 1)]), NO_GUARD);
    const broken = reading([zone('a.test.', 2)], { owner: 'www.elsewhere.test.' });
    await loader.applyChanges(broken, NO_GUARD);
    await loader.applyChanges(broken, NO_GUARD);
    expect(zones.failures).toBe(1);
    expect(serialOf('a.test.')).toBe(1);
    await loader.applyChanges(reading([zone('a.test.', 3)]), NO_GUARD);
    expect(serialOf('a.test.')).toBe(3);
  });

  it("our choice: a user's zone with the name of the nameserver domain is joined with it and separated again", async () => {
    await loader.applyAll(reading([]), NO_GUARD);
    expect(serialOf('ns.test.')).toBe(5);
    const shared = reading([zone('ns.test.', 3)]);
    expect(await loader.applyChanges(shared, NO_GUARD)).toBe(1);
    expect(await loader.applyChanges(shared, NO_GUARD)).toBe(0);
    expect(await loader.applyChanges(reading([zone('ns.test.', 8)]), NO_GUARD)).toBe(1);
    expect(serialOf('ns.test.')).toBe(8);
    const gone = reading([], { gone: ['ns.test.'] });
    expect(await loader.applyChanges(gone, NO_GUARD)).toBe(1);
    expect(await loader.applyChanges(gone, NO_GUARD)).toBe(0);
    expect(serialOf('ns.test.')).toBe(8);
  });
});

describe('ADR 0020: a database that lost changes', () => {
  it('has an earlier serial: the zone stays, and is reported until its serial is later', async () => {
    await loader.applyAll(reading([zone('a.test.', 9), zone('b.test.', 9)]), NO_GUARD);
    await loader.applyChanges(reading([zone('a.test.', 4)]), NO_GUARD);
    expect([...zones.aheadZones]).toEqual([['a.test.', 9]]);
    expect(zones.patchableSerial(zone('a.test.', 10))).toBeUndefined();
    await loader.applyChanges(reading([zone('a.test.', 10)]), NO_GUARD);
    expect([serialOf('a.test.'), zones.aheadZones.size]).toEqual([10, 0]);
  });

  it('no longer has the zone: nothing is reported', async () => {
    await loader.applyAll(reading([zone('a.test.', 9)]), NO_GUARD);
    await loader.applyChanges(reading([zone('a.test.', 4)]), NO_GUARD);
    await loader.applyChanges(reading([], { gone: ['a.test.'] }), NO_GUARD);
    expect(zones.aheadZones.size).toBe(0);
  });

  it('has an earlier version of a secondary zone: its primary provides the later one again', async () => {
    const secondary = (serial: number) =>
      reading([{ ...zone('a.test.', serial), secondary: 'withheld' as const }]);
    await loader.applyAll(secondary(9), NO_GUARD);
    await loader.applyChanges(secondary(4), NO_GUARD);
    expect(zones.aheadZones.size).toBe(0);
  });

  it.each([
    ['another content, given since they parted', 'other.a.test.', 9, [['a.test.', 9]]],
    ['the same content', 'a.test.', 9, []],
    ['another content that is older: it is not looked at', 'other.a.test.', 10, []],
  ])('has the same serial with %s', async (_, owner, divergedAt, expected) => {
    await loader.applyAll(reading([zone('a.test.', 9)]), NO_GUARD);
    const parted = reading([zone('a.test.', 9)], { owner });
    await loader.applyAll(parted, NO_GUARD, divergedAt);
    expect([serialOf('a.test.'), ...zones.aheadZones]).toEqual([9, ...expected]);
  });
});
