import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { addNameservers, addZone, QueryLoad, useTestDatabase } from '@zonewright/testkit';
import { NameserverProcess } from './support/nameserver-process.js';

/** The number of rolling restarts; `npm run test:faults` makes ten. */
const ROLLS = Number(process.env['ROLLING_RESTARTS'] ?? 1);
const SERVERS = 6;
/** The time limit; each start takes a second on an idle machine. */
const TIMEOUT_MS = 180_000 + ROLLS * 180_000;
const NAME = 'www.rolling.example';
const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'rolling.example.', [
    { name: `${NAME}.`, type: 'A', data: '192.0.2.10' },
  ]);
});

const start = (index: number, port = 0) =>
  NameserverProcess.start({
    DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    NAMESERVER_NAME: `ns1-${index + 1}`,
    NAMESERVER_HANDOVER: 'true',
    NAMESERVER_PORT: String(port),
  });

(process.platform === 'linux' ? describe : describe.skip)('rolling restart', () => {
  it(
    `restarting all six under load, ${ROLLS} times, loses no query and refuses no connection`,
    async () => {
      const servers: NameserverProcess[] = [];
      for (let index = 0; index < SERVERS; index++) servers.push(await start(index));
      const loads = servers.map(
        ({ port }) =>
          new QueryLoad(
            { host: '127.0.0.1', port },
            { name: NAME, udpPerSecond: 300, tcpClients: 1 },
          ),
      );
      for (const load of loads) load.start();
      for (let roll = 0; roll < ROLLS; roll++) {
        for (const [index, old] of servers.entries()) {
          servers[index] = await start(index, old.port);
          expect(await old.stop()).toBe(0);
        }
      }
      for (const load of loads) {
        const result = await load.stop();
        expect(result).toMatchObject({ udpUnanswered: 0, tcpFailures: [], badAnswers: 0 });
        expect(result.udpQueries).toBeGreaterThan(100);
        expect(result.tcpQueries).toBeGreaterThan(10);
      }
    },
    TIMEOUT_MS,
  );
});
