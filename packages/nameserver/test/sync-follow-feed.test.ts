import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES, openDatabase, withRole } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  deleteZone,
  exchangeUdp,
  startProxy,
  type TcpProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { expectEventually } from './support/expect-eventually.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
  startNameserver,
} from './support/running-nameserver.js';

/**
 * The time limit for stopping. It takes at most a second on an idle machine; waiting for clients or PostgreSQL would
 * take longer.
 */
const STOP_DEADLINE_MS = 5_000;
const database = useTestDatabase();
const cleanUp: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  await addNameservers(database.db);
});
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

const startLoaded = (variables: Record<string, string> = {}) =>
  startLoadedNameserver({
    DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    ...variables,
  });

async function startBehindProxy(
  variables: Record<string, string> = {},
): Promise<{ server: RunningNameserver; proxy: TcpProxy }> {
  const { proxy, url } = await startProxy(database.url);
  cleanUp.push(() => proxy.stop());
  const server = await startLoaded({
    DATABASE_URL: withRole(url, DATABASE_ROLES.nameserver),
    ...variables,
  });
  // The server stops before the proxy, which would otherwise report cut connections.
  cleanUp.push(() => server.stop());
  return { server, proxy };
}

async function expectAddress(server: RunningNameserver, name: string) {
  await expectEventually(async () => (await sendQuery(server, name, 'A')).answers.length > 0);
}

/** Opens a separate connection, so that several transactions can be open at once. */
function openConnection(): Database {
  const db = openDatabase({ url: database.url, applicationName: 'writer', maxConnections: 1 });
  cleanUp.push(() => db.destroy());
  return db;
}

describe('the change feed', () => {
  it('misses nothing if a later transaction commits first', async () => {
    const slow = await addZone(database.db, 'slow.example.');
    const fast = await addZone(database.db, 'fast.example.');
    const server = await startLoaded();
    const early = await openConnection().transaction();
    const record = { type: 'A', data: '192.0.2.7' };
    await addRecord(early, slow, { ...record, name: 'www.slow.example.' });
    await addRecord(database.db, fast, { ...record, name: 'www.fast.example.' });
    await expectAddress(server, 'www.fast.example');
    expect((await sendQuery(server, 'www.slow.example', 'A')).rcode).toBe('NXDOMAIN');
    await early.commit();
    await expectAddress(server, 'www.slow.example');
  });

  it('a rolled back change is never seen', async () => {
    const id = await addZone(database.db, 'rolled-back.example.');
    const server = await startLoaded();
    const writer = await openConnection().transaction();
    await addRecord(writer, id, { name: 'www.rolled-back.example.', type: 'A', data: '192.0.2.7' });
    await writer.rollback();
    await addRecord(database.db, id, {
      name: 'b.rolled-back.example.',
      type: 'A',
      data: '192.0.2.8',
    });
    await expectAddress(server, 'b.rolled-back.example');
    expect((await sendQuery(server, 'www.rolled-back.example', 'A')).rcode).toBe('NXDOMAIN');
  });

  it('without a notification, polling finds the change', async () => {
    const id = await addZone(database.db, 'silent.example.');
    const server = await startLoaded();
    await database.db.raw(
      `update dns.domains set serial = serial + 1, email = 'other@example.com', changed_in = pg_current_xact_id()
        where id = ?`,
      [id],
    );
    await expectEventually(async () => {
      const { answers } = await sendQuery(server, 'silent.example', 'SOA');
      return JSON.stringify(answers).includes('other.example.com');
    });
  });

  it('many changes at once are all answered', async () => {
    const server = await startLoaded();
    const id = await addZone(database.db, 'busy.example.');
    const hosts = Array.from({ length: 50 }, (_, i) => `h${i}.busy.example.`);
    await Promise.all(
      hosts.map((name) => addRecord(database.db, id, { name, type: 'A', data: '192.0.2.1' })),
    );
    for (const name of hosts) await expectAddress(server, name.slice(0, -1));
  });

  it('a name that is deleted and created again is the new zone', async () => {
    const server = await startLoaded();
    const old = await addZone(database.db, 'again.example.', [
      { name: 'old.again.example.', type: 'A', data: '192.0.2.1' },
    ]);
    await expectAddress(server, 'old.again.example');
    await deleteZone(database.db, old);
    await addZone(
      database.db,
      'again.example.',
      [{ name: 'new.again.example.', type: 'A', data: '192.0.2.1' }],
      200,
    );
    await expectAddress(server, 'new.again.example');
    expect((await sendQuery(server, 'old.again.example', 'A')).rcode).toBe('NXDOMAIN');
  });

  it('never decreases a serial, whatever the database contains', async () => {
    const id = await addZone(
      database.db,
      'serial.example.',
      [{ name: 'www.serial.example.', type: 'A', data: '192.0.2.1' }],
      500,
    );
    const server = await startLoaded();
    await database.db.raw(
      `update dns.domains set serial = 400, changed_in = pg_current_xact_id() where id = ?`,
      [id],
    );
    await database.db.raw('update dns.servers set updated_at = now()');
    const probe = await addZone(database.db, 'probe.example.');
    await waitFor(
      async () => (await sendQuery(server, 'probe.example', 'SOA')).rcode === 'NOERROR',
    );
    const { answers } = await sendQuery(server, 'serial.example', 'SOA');
    expect(answers[0]).toMatchObject({ data: { serial: 500 } });
    await deleteZone(database.db, probe);
    await deleteZone(database.db, id);
  });

  it('a zone with invalid data does not affect the others', async () => {
    const server = await startLoaded();
    const id = await addZone(database.db, 'broken.example.', [
      { name: 'www.broken.example.', type: 'A', data: '192.0.2.1' },
    ]);
    await expectAddress(server, 'www.broken.example');
    await addRecord(database.db, id, { name: 'www.elsewhere.test.', type: 'A', data: '192.0.2.1' });
    await waitFor(
      async () => (await readMetric(server, 'zonewright_nameserver_zone_failures_total')) > 0,
    );
    await addZone(database.db, 'whole.example.', [
      { name: 'www.whole.example.', type: 'A', data: '192.0.2.1' },
    ]);
    await expectAddress(server, 'www.whole.example');
    await expectAddress(server, 'www.broken.example');
    await deleteZone(database.db, id);
  });
});

describe('without PostgreSQL', () => {
  it('continues to answer while the connection is cut, and catches up when it is back', async () => {
    const id = await addZone(database.db, 'cut.example.', [
      { name: 'www.cut.example.', type: 'A', data: '192.0.2.1' },
    ]);
    const { server, proxy } = await startBehindProxy();
    proxy.cut();
    await waitFor(
      async () => (await readMetric(server, 'zonewright_nameserver_feed_reachable')) === 0,
    );
    await addRecord(database.db, id, { name: 'late.cut.example.', type: 'A', data: '192.0.2.2' });
    expect((await sendQuery(server, 'www.cut.example', 'A')).answers).toHaveLength(1);
    expect((await sendQuery(server, 'late.cut.example', 'A')).rcode).toBe('NXDOMAIN');
    const ready = await fetch(`${server.operations}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      checks: { zones: expect.stringMatching(/^data from \d+ s ago: PostgreSQL cannot be read$/) },
    });
    proxy.restore();
    await expectAddress(server, 'late.cut.example');
    const linesOfFeed = () =>
      server.logLines
        .map(({ level, msg }) => `${String(level)}: ${String(msg)}`)
        .filter((line) => line.includes('PostgreSQL'));
    // The change is answered shortly before the end of the reading that brought it.
    await waitFor(() => linesOfFeed().length >= 3);
    expect(linesOfFeed()).toEqual([
      'info: up to date with PostgreSQL',
      'warn: zones cannot be read from PostgreSQL; answering with earlier data',
      'info: up to date with PostgreSQL',
    ]);
  });

  it('replaces a connection on which nothing arrives any longer', async () => {
    const id = await addZone(database.db, 'stalled.example.');
    const { server, proxy } = await startBehindProxy({ NAMESERVER_FEED_STALL_TIMEOUT_MS: '1000' });
    proxy.stall();
    await addRecord(database.db, id, {
      name: 'www.stalled.example.',
      type: 'A',
      data: '192.0.2.2',
    });
    await waitFor(
      async () => (await readMetric(server, 'zonewright_nameserver_feed_reachable')) === 0,
    );
    proxy.restore();
    await expectAddress(server, 'www.stalled.example');
  });

  it('starts while PostgreSQL is unavailable, reports that it is not ready, and recovers', async () => {
    await addZone(database.db, 'patient.example.', [
      { name: 'www.patient.example.', type: 'A', data: '192.0.2.1' },
    ]);
    const { proxy, url } = await startProxy(database.url);
    cleanUp.push(() => proxy.stop());
    proxy.cut();
    const server = await startNameserver({
      DATABASE_URL: withRole(url, DATABASE_ROLES.nameserver),
    });
    cleanUp.push(() => server.stop());
    const ready = await fetch(`${server.operations}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      checks: { zones: 'the zones have not been read from PostgreSQL yet' },
    });
    expect((await sendQuery(server, 'www.patient.example', 'A')).rcode).toBe('SERVFAIL');
    proxy.restore();
    await expectAddress(server, 'www.patient.example');
  });

  it('RFC 8914 s4.4: marks answers as stale when the feed has been unavailable for long', async () => {
    await addZone(database.db, 'old.example.', [
      { name: 'www.old.example.', type: 'A', data: '192.0.2.1' },
    ]);
    const { server, proxy } = await startBehindProxy({ NAMESERVER_STALE_AFTER_SECONDS: '1' });
    const extendedErrors = async () => {
      const query = buildQuery({ question: 'www.old.example. A', edns: {} });
      const { opt } = decodeMessage(await exchangeUdp(server, query));
      return opt?.options.filter(({ code }) => code === 15).map(({ data }) => data[1]);
    };
    expect(await extendedErrors()).toEqual([]);
    proxy.cut();
    await waitFor(async () => (await extendedErrors())?.includes(3));
    proxy.restore();
    await waitFor(async () => (await extendedErrors())?.length === 0);
  });

  it('stops soon while PostgreSQL does not respond', async () => {
    const { server, proxy } = await startBehindProxy();
    proxy.stall();
    const before = Date.now();
    await server.stop();
    expect(Date.now() - before).toBeLessThan(STOP_DEADLINE_MS);
  });
});
