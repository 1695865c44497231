import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  faultSeed,
  seededRandom,
  startProxy,
  type TcpProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { describeWithProcessClock, ProcessClock } from './support/process-clock.js';
import { SecondNameserver } from './support/second-nameserver.js';

/** Number of changes. `npm run test:faults` uses 500. */
const CHANGES = Number(process.env['ZONEWRIGHT_FAR_CHANGES'] ?? 10);
/** Number of interruptions. `npm run test:faults` uses 20. */
const CUTS = Number(process.env['ZONEWRIGHT_FAR_CUTS'] ?? 2);
const ONE_WAY_MS = 100;
/** Share of packets that are lost, in each direction. */
const LOST = 0.02;
const HOURS = 12;
/** Time limit of a change, far longer than TCP needs over such a connection. */
const CHANGE_WITHIN_MS = 30_000;
const ZONE = 'far.example.';

const database = useTestDatabase();
let zoneId: string;
beforeAll(async () => {
  await addNameservers(database.db);
  zoneId = await addZone(database.db, ZONE, [
    { name: `www.${ZONE}`, type: 'A', data: '192.0.2.10' },
  ]);
});

/** Returns the milliseconds from the commit of a new record until all of these answer with it. */
async function commitToAnswer(name: string, servers: readonly SecondNameserver[]) {
  await addRecord(database.db, zoneId, {
    name: `${name}.${ZONE}`,
    type: 'A',
    data: '192.0.2.11',
  });
  return await answeredAfter(name, servers);
}

/** Returns the milliseconds from now until each of these answers with a record. */
async function answeredAfter(name: string, servers: readonly SecondNameserver[]) {
  const since = performance.now();
  return await Promise.all(
    servers.map(async ({ address }) => {
      await waitFor(
        async () => (await sendQuery(address, `${name}.far.example`, 'A')).answers.length === 1,
        CHANGE_WITHIN_MS,
      );
      return performance.now() - since;
    }),
  );
}

describe('A nameserver far from its database', () => {
  let proxy: TcpProxy;
  let near: SecondNameserver;
  let far: SecondNameserver;
  const random = seededRandom(faultSeed());
  const hinder = () => {
    proxy.delay(ONE_WAY_MS);
    proxy.lose(() => random() < LOST);
  };
  beforeAll(async () => {
    const url = database.urlAs(DATABASE_ROLES.nameserver);
    const way = await startProxy(url);
    proxy = way.proxy;
    hinder();
    [near, far] = await Promise.all([
      SecondNameserver.start(url),
      SecondNameserver.start(way.url, { NAMESERVER_NAME: 'ns1-3' }),
    ]);
    for (const { address } of [near, far])
      await waitFor(
        async () => (await sendQuery(address, 'www.far.example', 'A')).answers.length === 1,
        CHANGE_WITHIN_MS,
      );
  }, 60_000);
  afterAll(async () => {
    await Promise.all([near.stop(), far.stop()]);
    await proxy.stop();
  });

  it(
    `with 200 ms of delay and ${LOST * 100}% lost packets, ${CHANGES} changes arrive as soon as the network allows`,
    async () => {
      const times: number[][] = [];
      for (let change = 0; change < CHANGES; change += 1)
        times.push(await commitToAnswer(`r${change}`, [near, far]));
      for (const [at, name] of ['near', 'far'].entries())
        process.stdout.write(`${name}: commit to answer ${describeTimes(times, at)}\n`);
      expect(times).toHaveLength(CHANGES);
    },
    CHANGES * CHANGE_WITHIN_MS,
  );

  it(
    `during ${CUTS} interruptions it answers as before, and has each change once when the network is back`,
    async () => {
      const times: number[][] = [];
      for (let cut = 0; cut < CUTS; cut += 1) {
        proxy.cut();
        await commitToAnswer(`cut${cut}`, [near]);
        expect((await sendQuery(far.address, 'www.far.example', 'A')).answers).toHaveLength(1);
        proxy.restore();
        hinder();
        times.push(await answeredAfter(`cut${cut}`, [far]));
      }
      process.stdout.write(`cut ${CUTS} times: way back to answer ${describeTimes(times, 0)}\n`);
      expect(times).toHaveLength(CUTS);
    },
    CUTS * CHANGE_WITHIN_MS,
  );
});

describeWithProcessClock('A nameserver that has lost its database', () => {
  it(`answers for ${HOURS} hours as before, and has all changes once when the network is back`, async () => {
    const { proxy, url } = await startProxy(database.urlAs(DATABASE_ROLES.nameserver));
    const clock = await ProcessClock.create();
    const server = await SecondNameserver.start(url, { ...clock.env, NAMESERVER_NAME: 'ns1-4' });
    try {
      await commitToAnswer('before', [server]);
      proxy.cut();
      for (let hour = 1; hour <= HOURS; hour += 1) {
        await clock.set(hour * 3_600);
        const { rcode, answers } = await sendQuery(server.address, 'before.far.example', 'A');
        expect({ rcode, count: answers.length }).toEqual({ rcode: 'NOERROR', count: 1 });
      }
      const changes = ['one', 'two', 'three'].map((name) => commitToAnswer(name, [server]));
      proxy.restore();
      await Promise.all(changes);
    } finally {
      await server.stop();
      await proxy.stop();
      await clock.remove();
    }
  }, 120_000);
});

function describeTimes(times: readonly (readonly number[])[], at: number): string {
  const sorted = times.map((each) => each[at] ?? 0).toSorted((a, b) => a - b);
  const share = (part: number) =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)} ms`;
  return `p50 ${share(0.5)}, p99 ${share(0.99)}, longest ${share(1)}`;
}
