import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addZone,
  freePort,
  QueryLoad,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import {
  type RunningNameserver,
  startLoadedNameserver,
  startNameserver,
} from './support/running-nameserver.js';
import { TcpClient } from './support/tcp-client.js';
import { buildQuery } from '../conformance/support/query.js';

const NAME = 'www.handover.example';
const QUERY = buildQuery({ question: `${NAME}. A` });
/** The time limit for four starts and stops under load, which take about a second each on an idle machine. */
const ROLL_TIMEOUT_MS = 90_000;
const UNREACHABLE = 'postgres://nobody@127.0.0.1:1/none';
const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'handover.example.', [
    { name: `${NAME}.`, type: 'A', data: '192.0.2.10' },
  ]);
});

const variables = (port: number, others: Record<string, string> = {}) => ({
  DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
  NAMESERVER_UDP_TRANSPORT: 'batch',
  NAMESERVER_HANDOVER: 'true',
  NAMESERVER_PORT: String(port),
  NAMESERVER_RATE_LIMIT: 'false',
  ...others,
});

/** Replaces an old process with a new one, as an operator does. */
async function roll(old: RunningNameserver, others: Record<string, string> = {}) {
  const next = await startLoadedNameserver(variables(old.port, others));
  await old.stop();
  return next;
}

(process.platform === 'linux' ? describe : describe.skip)('restart without loss', () => {
  it.each([
    ['a literal address', '127.0.0.1', '127.0.0.1'],
    ['a wildcard', '0.0.0.0', '127.0.0.1'],
    ['one socket for both wildcards, over IPv4', '0.0.0.0,::', '127.0.0.1'],
    ['one socket for both wildcards, over IPv6', '0.0.0.0,::', '::1'],
  ])(
    'no query is lost and no connection refused: %s',
    async (_, hosts, host) => {
      const others = { NAMESERVER_HOST: hosts, NAMESERVER_OPERATIONS_HOST: '127.0.0.1' };
      let server = await startLoadedNameserver(variables(await freePort(), others));
      const load = new QueryLoad(
        { host, port: server.port },
        { name: NAME, udpPerSecond: 2_000, tcpClients: 4 },
      );
      load.start();
      for (let round = 0; round < 3; round++) server = await roll(server, others);
      const result = await load.stop();
      expect(result).toMatchObject({ udpUnanswered: 0, tcpFailures: [], badAnswers: 0 });
      expect(result.udpQueries).toBeGreaterThan(1_000);
      expect(result.tcpQueries).toBeGreaterThan(50);
    },
    ROLL_TIMEOUT_MS,
  );

  it('RFC 7766 s6.2.4: at the end a connection gets its pending answers, then a clean end', async () => {
    const old = await startLoadedNameserver(variables(await freePort()));
    const client = await TcpClient.connect(old);
    const idle = await TcpClient.connect(old);
    let hasFailed = false;
    for (const { socket } of [client, idle]) socket.on('error', () => (hasFailed = true));
    const stopped = roll(old);
    let sent = 0;
    while (!client.hasEnded) {
      client.send(QUERY);
      await client.waitForMessages(++sent).catch(() => sent--);
    }
    client.socket.end();
    idle.socket.end();
    await idle.waitForEnd();
    await stopped;
    expect(sent).toBeGreaterThan(0);
    expect(hasFailed).toBe(false);
  });

  it('beside an older process it answers only when it has the same data', async () => {
    const old = await startLoadedNameserver(variables(await freePort()));
    const isDone = { value: false };
    const starting = startNameserver(variables(old.port, { DATABASE_URL: UNREACHABLE })).then(
      (server) => {
        isDone.value = true;
        return server;
      },
    );
    const load = new QueryLoad(old, { name: NAME, udpPerSecond: 500, tcpClients: 2 });
    load.start();
    await waitFor(() => isDone.value, 1_000).catch(() => undefined);
    // A process without the zones would have answered SERVFAIL.
    expect(await load.stop()).toMatchObject({ udpUnanswered: 0, tcpFailures: [], badAnswers: 0 });
    expect(isDone.value).toBe(false);
    await old.stop();
    // A process without a predecessor starts as usual.
    expect((await starting).port).toBe(old.port);
  });

  it('a process that must not run beside another names the setting to change', async () => {
    const old = await startLoadedNameserver(variables(await freePort()));
    await expect(
      startNameserver(variables(old.port, { NAMESERVER_HANDOVER: 'false' })),
    ).rejects.toThrow(`Another program uses port ${old.port} of 127.0.0.1`);
    const operationsPort = new URL(old.operations).port;
    await expect(
      startNameserver(variables(old.port, { NAMESERVER_OPERATIONS_PORT: operationsPort })),
    ).rejects.toThrow(
      `Another program uses port ${operationsPort}; NAMESERVER_OPERATIONS_PORT sets another port`,
    );
  });

  it('with node:dgram no query can be handed over, and a line reports that', async () => {
    const others = { NAMESERVER_UDP_TRANSPORT: 'dgram', DATABASE_URL: UNREACHABLE };
    const server = await startNameserver(variables(0, others));
    expect(
      server.logLines.filter(({ msg }) => String(msg).startsWith('NAMESERVER_HANDOVER')),
    ).toHaveLength(1);
    await expect(startNameserver(variables(server.port, others))).rejects.toThrow('Another');
  });
});
