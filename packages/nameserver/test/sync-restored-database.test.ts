import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  DATABASE_ROLES,
  FEED_START,
  type FeedServers,
  horizonAt,
  readFeed,
} from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger, readSettings, systemClock } from '@zonewright/service-kit';
import { addNameservers, addZone, useTestDatabase, waitFor } from '@zonewright/testkit';
import { createSync } from '../src/create-sync.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { NAMESERVER_SETTINGS } from '../src/settings/settings.js';
import { buildUserZone } from '../src/sync/build-zone.js';
import type { FeedStatus } from '../src/sync/feed-status.js';

const database = useTestDatabase();

/** A position that no database of a test run reaches. */
const POSITION_OF_ANOTHER_DATABASE = '999999999999';

const APEX = {
  servers: [],
  soa: { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 },
};

/**
 * Runs the sync once, as if it had been at `position` of a database with this lineage and these zones, all with serial
 * 100.
 */
async function syncFrom(
  position: string,
  lineage: string | undefined,
  names: readonly string[],
): Promise<{ image: ImageWriter; status: FeedStatus }> {
  const image = ImageWriter.create(1_048_576);
  for (const name of names) {
    const zone = {
      domainId: '',
      name,
      email: 'a@example.com',
      ttl: 60,
      serial: 100,
      recordCount: 0,
    };
    image.put(compileZone(buildUserZone(zone, [], APEX)));
  }
  const sync = createSync({
    settings: readSettings(NAMESERVER_SETTINGS, {
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    }),
    image,
    address: () => '127.0.0.1:53',
    clock: systemClock,
    log: createLogger('test', 'silent'),
  });
  sync.status.position = position;
  sync.status.lineage = lineage;
  sync.status.horizon = horizonAt(position);
  // A snapshot leaves this state; otherwise changed servers alone would make the sync read all zones.
  sync.zones.resume(await readServers(), undefined);
  sync.start();
  try {
    await waitFor(() => sync.status.isLoaded);
  } finally {
    await sync.stop();
  }
  return { image, status: sync.status };
}

async function readServers(): Promise<FeedServers> {
  return await readFeed(database.db, FEED_START, ({ servers }) => Promise.resolve(servers));
}

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'older.example.', [], 50);
  await addZone(database.db, 'newer.example.', [], 200);
});

const NAMES = ['older.example.', 'newer.example.', 'unknown.example.'];

describe('a database that is behind the reached position', () => {
  it('is read from its beginning; serials stay, and zones that are missing in it disappear', async () => {
    const { image, status } = await syncFrom(POSITION_OF_ANOTHER_DATABASE, undefined, NAMES);
    expect(image.zoneSerial(nameToWire('older.example.'))).toBe(100);
    expect(image.zoneSerial(nameToWire('newer.example.'))).toBe(200);
    expect(image.zoneSerial(nameToWire('unknown.example.'))).toBeUndefined();
    expect(BigInt(status.position)).toBeLessThan(BigInt(POSITION_OF_ANOTHER_DATABASE));
  });
});

describe('another database that is ahead of the reached position', () => {
  it('is also read from its beginning, because its lineage differs', async () => {
    const { position } = (await syncFrom(POSITION_OF_ANOTHER_DATABASE, undefined, [])).status;
    const { image, status } = await syncFrom(position, 'another cluster/00000001', NAMES);
    expect(image.zoneSerial(nameToWire('newer.example.'))).toBe(200);
    expect(image.zoneSerial(nameToWire('unknown.example.'))).toBeUndefined();
    expect(status.lineage).toMatch(/^\d+\/[0-9A-F]{8}\/\d+$/);
  });

  it('of the same lineage: only changes are read', async () => {
    const { status } = await syncFrom(POSITION_OF_ANOTHER_DATABASE, undefined, []);
    const { image } = await syncFrom(status.position, status.lineage, NAMES);
    expect(image.zoneSerial(nameToWire('unknown.example.'))).toBe(100);
  });
});

describe('a database from which tombstones were removed', () => {
  const setFloor = async (floor: string | null) => {
    await database.db.raw('update dns.nameserver_domain set feed_floor = cast(? as xid8)', [floor]);
  };
  const knowsGoneZone = async (position: string, lineage: string | undefined) => {
    const { image } = await syncFrom(position, lineage, NAMES);
    return image.zoneSerial(nameToWire('unknown.example.')) !== undefined;
  };

  it('is read from its beginning by readers that were not past the last of them, and by no others', async () => {
    const { position, lineage } = (await syncFrom(POSITION_OF_ANOTHER_DATABASE, undefined, []))
      .status;
    const plus = (n: bigint) => String(BigInt(position) + n);
    // With these zones the database passes all positions below, when nothing else on this server holds it back.
    for (let n = 0; n < 4; n += 1) await addZone(database.db, `more${n}.example.`, [], 1);
    await waitFor(async () => {
      const { rows } = await database.db.raw<{ rows: { xmin: string }[] }>(
        'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
      );
      return BigInt(rows[0]?.xmin ?? 0) > BigInt(position) + 2n;
    });
    await setFloor(null);
    expect(await knowsGoneZone(position, lineage)).toBe(true);
    await setFloor(plus(-1n));
    expect(await knowsGoneZone(position, lineage)).toBe(true);
    await setFloor(plus(1n));
    expect(await knowsGoneZone(position, lineage)).toBe(false);
    expect(await knowsGoneZone(plus(2n), lineage)).toBe(true);
    await setFloor(POSITION_OF_ANOTHER_DATABASE);
    expect(await knowsGoneZone(position, lineage)).toBe(true);
    await setFloor(null);
  });
});
