import { afterEach, describe, expect, it } from '@jest/globals';
import { exchangeUdp, waitFor } from '@zonewright/testkit';
import { buildQuery } from '../conformance/support/query.js';
import { decodeMessage } from '../conformance/support/message.js';
import { expectEventually } from './support/expect-eventually.js';
import { readMetric, startNameserver } from './support/running-nameserver.js';
import { openUdpClient, takeUdpPort } from './support/udp-client.js';

/** The database is not reachable, so the server answers SERVFAIL, which is enough for these tests. */
const BATCH = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  NAMESERVER_UDP_TRANSPORT: 'batch',
  NAMESERVER_RATE_LIMIT: 'false',
};
const QUERY = buildQuery({ question: 'www.example. A', edns: {} });
const REAL_PLATFORM = process.platform;

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: REAL_PLATFORM });
});

(REAL_PLATFORM === 'linux' ? describe : describe.skip)('UDP in batches', () => {
  it.each([
    ['each address separately', '127.0.0.1,127.0.0.2,::1'],
    ['one wildcard for both families', '0.0.0.0,::'],
    ['a wildcard of one family beside addresses of the other', '::,127.0.0.1,127.0.0.2'],
  ])('RFC 2181 s4: an answer is sent from the address of the query: %s', async (_, hosts) => {
    const server = await startNameserver({ ...BATCH, NAMESERVER_HOST: hosts });
    const ipv4 = openUdpClient();
    const ipv6 = openUdpClient('udp6');
    await ipv4.send(server.port, '127.0.0.2', QUERY);
    await ipv4.send(server.port, '127.0.0.1', QUERY);
    await ipv6.send(server.port, '::1', QUERY);
    await waitFor(() => ipv4.answers.length === 2 && ipv6.answers.length === 1);
    expect(ipv4.answers.map(({ from }) => from).sort()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(ipv6.answers.map(({ from }) => from)).toEqual(['::1']);
  });

  it.each([
    ['0.0.0.0', '127.0.0.9'],
    ['::', '::1'],
  ])('RFC 2181 s4: a wildcard of one family, %s', async (host, address) => {
    const server = await startNameserver({ ...BATCH, NAMESERVER_HOST: host });
    const client = openUdpClient(host === '::' ? 'udp6' : 'udp4');
    await client.send(server.port, address, QUERY);
    await waitFor(() => client.answers.length === 1);
    expect(client.answers[0]?.from).toBe(address);
  });

  it('metrics add the counts of the workers', async () => {
    const server = await startNameserver(BATCH);
    for (let i = 0; i < 20; i++) await exchangeUdp(server, QUERY);
    expect(
      await readMetric(
        server,
        'zonewright_nameserver_responses_total{transport="udp",rcode="SERVFAIL"}',
      ),
    ).toBe(20);
  });

  it('the rate limit applies to the server, however many workers share it', async () => {
    const server = await startNameserver({
      ...BATCH,
      NAMESERVER_UDP_WORKERS: '4',
      NAMESERVER_RATE_LIMIT: 'true',
      NAMESERVER_RATE_LIMIT_RESPONSES_PER_SECOND: '1',
      NAMESERVER_RATE_LIMIT_SLIP: '0',
      NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS: '192.0.2.0/24',
    });
    // The queries come from several ports, which the kernel distributes over the workers.
    const clients = Array.from({ length: 16 }, () => openUdpClient());
    for (const client of clients) await client.send(server.port, server.host, QUERY);
    const counted = () => readMetric(server, 'zonewright_nameserver_rate_limit_drops_total');
    await waitFor(async () => {
      const sent = clients.reduce((sum, { answers }) => sum + answers.length, 0);
      return sent + (await counted()) === 16;
    });
    // One answer is allowed, and another one if a second has passed.
    expect(await counted()).toBeGreaterThanOrEqual(13);
  });

  it('a message of the maximum length is answered completely, like a short one', async () => {
    const server = await startNameserver(BATCH);
    const long = Buffer.concat([QUERY, Buffer.alloc(65_507 - QUERY.length)]);
    expect(decodeMessage(await exchangeUdp(server, long)).rcode).toBe('FORMERR');
    expect(decodeMessage(await exchangeUdp(server, QUERY)).rcode).toBe('SERVFAIL');
  });

  it('reports errors, and replaces a worker that failed', async () => {
    const failing = new URL('support/failing-worker.mjs', import.meta.url);
    const server = await startNameserver(
      { ...BATCH, NAMESERVER_UDP_WORKERS: '1' },
      { batchWorkerUrl: failing },
    );
    await expectEventually(
      async () => decodeMessage(await exchangeUdp(server, QUERY)).rcode === 'SERVFAIL',
    );
    // The lines come from two threads, so either may be first.
    await waitFor(() => {
      const faults = server.logLines.filter(({ level }) => level === 'error');
      expect(faults.map(({ msg }) => msg).sort()).toEqual([
        'a UDP worker failed; starting another one',
        'a query caused an error: SERVFAIL',
      ]);
      return true;
    });
  });

  it('stops within seconds, and the port is free again', async () => {
    const server = await startNameserver(BATCH);
    await exchangeUdp(server, QUERY);
    const start = Date.now();
    await server.stop();
    expect(Date.now() - start).toBeLessThan(4_000);
    expect(await takeUdpPort(server.port)).toBe(server.port);
  });

  it('names the setting to change if the port is in use', async () => {
    const port = await takeUdpPort();
    await expect(startNameserver({ ...BATCH, NAMESERVER_PORT: String(port) })).rejects.toThrow(
      `Another program uses port ${port} of 127.0.0.1; NAMESERVER_PORT sets another port.`,
    );
  });

  it('on other systems node:dgram answers, and one line reports that', async () => {
    Object.defineProperty(process, 'platform', { value: 'sunos' });
    const server = await startNameserver({ ...BATCH, NAMESERVER_UDP_TRANSPORT: 'auto' });
    expect(decodeMessage(await exchangeUdp(server, QUERY)).rcode).toBe('SERVFAIL');
    const lines = server.logLines.filter(({ msg }) => String(msg).includes('node:dgram'));
    expect(lines).toHaveLength(1);
    await expect(startNameserver(BATCH)).rejects.toThrow('Linux');
  });
});
