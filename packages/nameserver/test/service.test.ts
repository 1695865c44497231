import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  deleteRecords,
  deleteZone,
  useTestDatabase,
} from '@zonewright/testkit';
import { expectEventually } from './support/expect-eventually.js';
import { readMetric, startLoadedNameserver } from './support/running-nameserver.js';

/**
 * The time limit for stopping. It takes at most a second on an idle machine; waiting for clients or PostgreSQL would
 * take longer.
 */
const STOP_DEADLINE_MS = 5_000;
const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
});

const startLoaded = (variables: Record<string, string> = {}) =>
  startLoadedNameserver({
    DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    ...variables,
  });

describe('NameserverService', () => {
  it('answers over UDP and TCP with the data in PostgreSQL', async () => {
    await addZone(database.db, 'first.example.', [
      { name: 'www.first.example.', type: 'A', data: '192.0.2.10', ttl: 60 },
    ]);
    const server = await startLoaded();
    for (const transport of ['udp', 'tcp'] as const) {
      expect(await sendQuery(server, 'www.first.example', 'A', { transport })).toMatchObject({
        rcode: 'NOERROR',
        isAuthoritative: true,
        answers: [{ name: 'www.first.example', type: 'A', ttl: 60, data: '192.0.2.10' }],
      });
    }
  });

  it('D-NS: SOA and NS of a zone come from its email and the servers table', async () => {
    await addZone(database.db, 'apex.example.', [], 2_026_112_101);
    const server = await startLoaded();
    expect((await sendQuery(server, 'apex.example', 'SOA')).answers).toEqual([
      expect.objectContaining({
        type: 'SOA',
        ttl: 3_600,
        data: {
          mname: 'ns1-1.ns.example',
          rname: 'dns\\.admin.example.com',
          serial: 2_026_112_101,
          refresh: 14_400,
          retry: 3_600,
          expire: 1_209_600,
          minimum: 300,
        },
      }),
    ]);
    const { answers } = await sendQuery(server, 'apex.example', 'NS');
    expect(answers.map((answer) => 'data' in answer && answer.data).sort()).toEqual([
      'ns1-1.ns.example',
      'ns1-2.ns.example',
    ]);
  });

  it('a zone, a record and their deletion are answered when they are committed', async () => {
    const server = await startLoaded();
    const id = await addZone(database.db, 'change.example.');
    await expectEventually(
      async () => (await sendQuery(server, 'change.example', 'SOA')).rcode === 'NOERROR',
    );
    await addRecord(database.db, id, { name: 'new.change.example.', type: 'A', data: '192.0.2.3' });
    await expectEventually(
      async () => (await sendQuery(server, 'new.change.example', 'A')).answers.length === 1,
    );
    await deleteRecords(database.db, id, 'new.change.example.');
    await expectEventually(
      async () => (await sendQuery(server, 'new.change.example', 'A')).rcode === 'NXDOMAIN',
    );
    await deleteZone(database.db, id);
    await expectEventually(
      async () => (await sendQuery(server, 'change.example', 'SOA')).rcode === 'REFUSED',
    );
  });

  it('a record change is answered when it is announced, not when the feed is next polled', async () => {
    const server = await startLoaded({ NAMESERVER_FEED_POLL_INTERVAL_MS: '600000' });
    const id = await addZone(database.db, 'quick.example.');
    for (let i = 0; i < 5; i++) {
      const name = `h${i}.quick.example.`;
      await addRecord(database.db, id, { name, type: 'A', data: '192.0.2.3' });
      await expectEventually(async () => (await sendQuery(server, name, 'A')).answers.length === 1);
    }
  });

  it('counts by transport, type and rcode, and logs no query', async () => {
    const server = await startLoaded();
    const linesBefore = server.logLines.length;
    await sendQuery(server, 'ns1-1.ns.example', 'AAAA');
    await sendQuery(server, 'ns1-1.ns.example', 'AAAA', { transport: 'tcp' });
    await sendQuery(server, 'elsewhere.test', 'A');
    expect(
      await readMetric(
        server,
        'zonewright_nameserver_responses_total{transport="udp",rcode="REFUSED"}',
      ),
    ).toBe(1);
    expect(
      await readMetric(
        server,
        'zonewright_nameserver_questions_total{transport="tcp",type="AAAA"}',
      ),
    ).toBe(1);
    expect(
      await readMetric(
        server,
        'zonewright_nameserver_queries_total{transport="udp",outcome="answer"}',
      ),
    ).toBe(1);
    expect(
      await readMetric(server, 'zonewright_nameserver_response_size_bytes_count{transport="udp"}'),
    ).toBe(2);
    expect(
      await readMetric(
        server,
        'zonewright_nameserver_response_size_bytes_bucket{transport="tcp",le="1232"}',
      ),
    ).toBe(1);
    expect(await readMetric(server, 'zonewright_nameserver_feed_reachable')).toBe(1);
    expect(await readMetric(server, 'zonewright_nameserver_zones')).toBeGreaterThan(0);
    expect(server.logLines).toHaveLength(linesBefore);
  });

  it('D-NS-33: listens on the first address of NAMESERVER_HOST unless configured', async () => {
    const hosts = { NAMESERVER_HOST: '127.0.0.2,127.0.0.1' };
    const first = await startLoaded({ ...hosts, NAMESERVER_OPERATIONS_HOST: '' });
    expect(new URL(first.operations).hostname).toBe('127.0.0.2');
    const elsewhere = await startLoaded({ ...hosts, NAMESERVER_OPERATIONS_HOST: '127.0.0.3' });
    expect(new URL(elsewhere.operations).hostname).toBe('127.0.0.3');
  });

  it('stops soon and leaves nothing open', async () => {
    const before = countOpenSockets();
    const server = await startLoaded();
    expect(countOpenSockets()).toBeGreaterThan(before);
    const start = Date.now();
    await server.stop();
    expect(Date.now() - start).toBeLessThan(STOP_DEADLINE_MS);
    await expect(sendQuery(server, 'first.example', 'SOA', { timeoutMs: 100 })).rejects.toThrow(
      /answer/,
    );
    await expectEventually(() => countOpenSockets() <= before);
  });
});

/** Counts the sockets of this process that listen or are connected, including those of the test's own pool. */
function countOpenSockets(): number {
  const kinds = new Set(['UDPWrap', 'TCPServerWrap', 'TCPSocketWrap']);
  return process.getActiveResourcesInfo().filter((kind) => kinds.has(kind)).length;
}
