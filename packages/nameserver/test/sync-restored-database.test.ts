import { describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger, readSettings, systemClock } from '@zonewright/service-kit';
import { useTestDatabase, waitFor } from '@zonewright/testkit';
import { createSync } from '../src/create-sync.js';
import { compileZone } from '../src/image/compile-zone.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { NAMESERVER_SETTINGS } from '../src/settings.js';
import { buildUserZone } from '../src/sync/build-zone.js';
import { addNameservers, addZone } from './support/dns-rows.js';

const database = useTestDatabase();

/** Farther than any database of a test run will get. */
const POSITION_OF_ANOTHER_DATABASE = '999999999999';

const ENVIRONMENT = {
  servers: { domain: undefined, servers: [] },
  times: { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 },
  nameserverDomainTtl: 60,
};

describe('a database that is behind the position that was reached', () => {
  it('design 3: is read from its beginning; serials stay, zones that it does not know go', async () => {
    await addNameservers(database.db);
    await addZone(database.db, 'older.example.', [], 50);
    await addZone(database.db, 'newer.example.', [], 200);
    const image = ImageWriter.create(1_048_576);
    for (const name of ['older.example.', 'newer.example.', 'unknown.example.']) {
      const zone = {
        domainId: '',
        name,
        email: 'a@example.com',
        ttl: 60,
        serial: 100,
        recordCount: 0,
      };
      image.put(compileZone(buildUserZone(zone, [], ENVIRONMENT)));
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
    sync.status.position = POSITION_OF_ANOTHER_DATABASE;
    sync.start();
    try {
      await waitFor(() => sync.status.isLoaded);
    } finally {
      await sync.stop();
    }
    expect(image.zoneSerial(nameToWire('older.example.'))).toBe(100);
    expect(image.zoneSerial(nameToWire('newer.example.'))).toBe(200);
    expect(image.zoneSerial(nameToWire('unknown.example.'))).toBeUndefined();
    expect(BigInt(sync.status.position)).toBeLessThan(BigInt(POSITION_OF_ANOTHER_DATABASE));
  });
});
