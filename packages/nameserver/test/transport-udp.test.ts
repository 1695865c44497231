import { afterEach, describe, expect, it } from '@jest/globals';
import { exchangeTcp, exchangeUdp, waitFor } from '@zonewright/testkit';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { buildQuery } from '../conformance/support/query.js';
import { decodeMessage } from '../conformance/support/message.js';
import { readMetric, startNameserver } from './support/running-nameserver.js';
import { openUdpClient, takeUdpPort } from './support/udp-client.js';

/** The database is not reachable, so the server answers SERVFAIL, which is enough for these tests. */
const WITHOUT_DATABASE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
const QUERY = buildQuery({ question: 'www.example. A', edns: {} });
const servers = new Set<Server>();

afterEach(() => {
  for (const server of servers) server.close();
  servers.clear();
});

async function takeTcpPort(): Promise<number> {
  const server = createServer();
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('UDP', () => {
  it('RFC 2181 s4: an answer is sent from the address of the query', async () => {
    const server = await startNameserver({
      ...WITHOUT_DATABASE,
      NAMESERVER_HOST: '127.0.0.1,127.0.0.2,::1',
    });
    const ipv4 = openUdpClient();
    const ipv6 = openUdpClient('udp6');
    await ipv4.send(server.port, '127.0.0.2', QUERY);
    await ipv4.send(server.port, '127.0.0.1', QUERY);
    await ipv6.send(server.port, '::1', QUERY);
    await waitFor(() => ipv4.answers.length === 2 && ipv6.answers.length === 1);
    expect(ipv4.answers.map(({ from }) => from).sort()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(ipv6.answers.map(({ from }) => from)).toEqual(['::1']);
  });

  it('RFC 2181 s4: also on a wildcard, including addresses that are added later', async () => {
    let addresses = ['127.0.0.1', '127.0.0.3'];
    const server = await startNameserver(
      { ...WITHOUT_DATABASE, NAMESERVER_HOST: '0.0.0.0,::' },
      { listAddresses: (family) => (family === 'IPv4' ? addresses : ['::1']) },
    );
    const client = openUdpClient();
    await client.send(server.port, '127.0.0.3', QUERY);
    await waitFor(() => client.answers.at(-1)?.from === '127.0.0.3');
    const ipv6 = openUdpClient('udp6');
    await ipv6.send(server.port, '::1', QUERY);
    await waitFor(() => ipv6.answers.at(-1)?.from === '::1');
    addresses = ['127.0.0.1', '127.0.0.4'];
    await waitFor(async () => {
      await client.send(server.port, '127.0.0.4', QUERY);
      return client.answers.at(-1)?.from === '127.0.0.4';
    });
    await client.send(server.port, '127.0.0.3', QUERY);
    await client.send(server.port, '127.0.0.1', QUERY);
    await waitFor(() => client.answers.at(-1)?.from === '127.0.0.1');
    expect(client.answers.filter(({ from }) => from === '127.0.0.3')).toHaveLength(1);
  });

  it('answers UDP and TCP on one port, also if any port is allowed', async () => {
    const server = await startNameserver({
      ...WITHOUT_DATABASE,
      NAMESERVER_HOST: '127.0.0.1,::1',
    });
    for (const host of ['127.0.0.1', '::1']) {
      const address = { host, port: server.port };
      expect(decodeMessage(await exchangeUdp(address, QUERY)).rcode).toBe('SERVFAIL');
      expect(decodeMessage(await exchangeTcp(address, QUERY)).rcode).toBe('SERVFAIL');
    }
  });

  it.each([
    ['UDP', () => takeUdpPort()],
    ['TCP', takeTcpPort],
  ])('names the setting to change if the port is in use for %s', async (_, takePort) => {
    const port = await takePort();
    await expect(
      startNameserver({ ...WITHOUT_DATABASE, NAMESERVER_PORT: String(port) }),
    ).rejects.toThrow(
      `Another program uses port ${port} of 127.0.0.1; NAMESERVER_PORT sets another port.`,
    );
  });

  it('RFC 8914 s4.15: before the zones are read, the answer is SERVFAIL, Not Ready', async () => {
    const server = await startNameserver(WITHOUT_DATABASE);
    const { rcode, opt } = decodeMessage(await exchangeUdp(server, QUERY));
    expect(rcode).toBe('SERVFAIL');
    expect(opt?.options.map(({ code, data }) => [code, data[1]])).toContainEqual([15, 14]);
  });

  it('an error in the answering code is SERVFAIL, a count, and one line for a burst', async () => {
    const server = await startNameserver(WITHOUT_DATABASE, {
      handleQuery: (context) => {
        context.fault = new Error('a bug');
        context.output.fill(0, 0, 12);
        return 12;
      },
    });
    for (let i = 0; i < 5; i++) await exchangeUdp(server, QUERY);
    expect(await readMetric(server, 'zonewright_nameserver_faults_total')).toBe(5);
    const lines = server.logLines.filter(({ level }) => level === 'error');
    expect(lines).toHaveLength(1);
  });
});
