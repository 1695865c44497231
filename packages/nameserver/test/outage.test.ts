import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  QueryLoad,
  startProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { NameserverProcess } from './support/nameserver-process.js';

/** The duration of the outage in minutes; `npm run test:faults` uses 30. */
const MINUTES = Number(process.env['OUTAGE_MINUTES'] ?? 0.1);
const OUTAGE_MS = MINUTES * 60_000;
/** The time limit for catching up: three times the promised time, because a busy machine takes longer. */
const CATCH_UP_MS = 15_000;
const ZONES = 100;
const database = useTestDatabase();
const zoneIds: string[] = [];

const apex = (zone: number) => `z${zone}.outage.example`;

beforeAll(async () => {
  await addNameservers(database.db);
  for (let zone = 0; zone < ZONES; zone++) {
    const record = { name: `www.${apex(zone)}.`, type: 'A', data: '192.0.2.10' };
    zoneIds.push(await addZone(database.db, `${apex(zone)}.`, [record]));
  }
});

describe('without PostgreSQL', () => {
  it(
    `${MINUTES} minutes without it cost no answer, and all changes arrive within 5 s when it is back`,
    async () => {
      const { proxy, url } = await startProxy(database.urlAs(DATABASE_ROLES.nameserver));
      const server = await NameserverProcess.start({ DATABASE_URL: url });
      const address = { host: '127.0.0.1', port: server.port };
      const load = new QueryLoad(address, {
        name: `www.${apex(0)}`,
        udpPerSecond: 200,
        tcpClients: 1,
      });
      load.start();
      proxy.cut();
      for (const [zone, id] of zoneIds.entries()) {
        const record = { name: `new.${apex(zone)}.`, type: 'A', data: '192.0.2.11' };
        await addRecord(database.db, id, record);
      }
      await delay(OUTAGE_MS);
      expect(await server.isReady()).toBe(true);
      proxy.restore();
      const backAt = Date.now();
      for (let zone = 0; zone < ZONES; zone++) {
        await waitFor(
          async () => (await sendQuery(address, `new.${apex(zone)}`, 'A')).answers.length === 1,
          Math.max(1, backAt + CATCH_UP_MS - Date.now()),
        );
      }
      expect(await load.stop()).toMatchObject({
        udpUnanswered: 0,
        tcpFailures: [],
        badAnswers: 0,
      });
      await server.stop();
      await proxy.stop();
    },
    OUTAGE_MS + 120_000,
  );
});
