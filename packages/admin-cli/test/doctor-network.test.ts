import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithRedis, PrivateRedis, waitFor } from '@zonewright/testkit';
import dnsPacket from 'dns-packet';
import { Redis } from 'ioredis';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { diagnoseInstallation } from './diagnose-installation.js';
import { useInstallation } from './run-command.js';

const DAY_MS = 86_400_000;
const installation = useInstallation();
const diagnose = (env: Record<string, string>) => diagnoseInstallation(installation, env);

/** Functions that run after the test, the last one first. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

describe('doctor, what answers over HTTP', () => {
  const ours: RequestListener = (_, response) =>
    response.setHeader('X-Openstack-Request-Id', 'req-1').end();

  it('reports an error if the catalog leads to another program, even if it answers', async () => {
    const port = await listen(createServer((_, response) => response.end('It works!')));
    const url = `http://127.0.0.1:${port}`;
    const { exitCode, of } = await diagnose({ IDENTITY_URL: url, DNS_API_URL: url });
    expect(exitCode).toBe(2);
    expect(of('catalog')).toEqual([
      expect.stringMatching(
        `^error: Another program \\(HTTP 200\\) responds at http://identity.test:35357/v2.0/ \\(queried at ${url}\\), `,
      ),
      expect.stringMatching(
        /^error: Another program .+ responds at http:\/\/dns\.test:9001\/v1\/ /,
      ),
      expect.stringMatching(/^error: Another program .+ responds at http:\/\/dns\.test:9001 /),
    ]);
  });

  it('accepts one of our services', async () => {
    const url = `http://127.0.0.1:${await listen(createServer(ours))}`;
    const { of } = await diagnose({ IDENTITY_URL: url, DNS_API_URL: url });
    expect(of('catalog').map((finding) => finding.slice(0, 3))).toEqual(['ok:', 'ok:', 'ok:']);
    expect(of('certificates')).toEqual([]);
  });

  it('warns of more connections than PostgreSQL has, with both numbers', async () => {
    const metrics = 'zonewright_database_connections_max 2501\n';
    const port = await listen(createServer((_, response) => response.end(metrics)));
    const url = `http://127.0.0.1:${port}/`;
    const { of } = await diagnose({ DOCTOR_READY_URLS: `${url},${url}` });
    expect(of('connections')).toEqual([
      expect.stringMatching(
        /^warning: The services of DOCTOR_READY_URLS may open 5002 connections; PostgreSQL allows \d+\. -> Increase max_connections/,
      ),
    ]);
  });

  it('reports statements that PostgreSQL recently refused: new ones as errors, older ones as warnings', async () => {
    const secondsAgo = (seconds: number) => (Date.now() / 1_000 - seconds).toFixed(3);
    const refused = (code: string, seconds: number) =>
      `zonewright_database_refused_timestamp_seconds{sqlstate="${code}"} ${secondsAgo(seconds)}\n`;
    const metrics = refused('53100', 2) + refused('58030', 120) + refused('25006', 3_600);
    const port = await listen(createServer((_, response) => response.end(metrics)));
    const { of } = await diagnose({ DOCTOR_READY_URLS: `http://127.0.0.1:${port}` });
    expect(of('services').slice(1)).toEqual([
      expect.stringMatching(
        /^error: PostgreSQL refused a statement of \S+ \d+ s ago: its disk is full \(SQLSTATE 53100\)\. -> Free space/,
      ),
      expect.stringMatching(/^warning: .+: it cannot write to its disk \(SQLSTATE 58030\)/),
    ]);
  });

  it("reports http in the catalog as an error for a service with TLS, even if it answers at doctor's address", async () => {
    // Nothing listens at this address: doctor must know from the operator's address that the service uses TLS.
    const { exitCode, of } = await diagnose({ DNS_API_URL: 'https://127.0.0.1:1' });
    expect(exitCode).toBe(2);
    expect(of('catalog')).toContainEqual(
      expect.stringMatching(
        /^error: The catalog gives clients http:\/\/dns\.test:9001\/v1\/, http:\/\/dns\.test:9001 for DNS, which uses TLS.+ -> zonewright-admin endpoint set \w+ --public-url https:\/\/dns\.test:9001\/v1\/ --internal-url https:\/\/dns\.test:9001\/v1\/ --version-info https:\/\/dns\.test:9001\/v1\/ --version-list https:\/\/dns\.test:9001$/,
      ),
    );
  });

  it.each([
    [2, /^warning: The certificate at 127\.0\.0\.1:\d+ expires at .+, in [01] days\. -> Renew it/],
    [90, /^ok: The certificate at 127\.0\.0\.1:\d+ expires at /],
  ])('reports a certificate that expires in %d days', async (days, expected) => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      notAfterDate: new Date(Date.now() + days * DAY_MS),
    });
    const server = createTlsServer({ key, cert }, ours);
    const url = `https://127.0.0.1:${await listen(server)}`;
    const { of } = await diagnose({ IDENTITY_URL: url });
    expect(of('certificates')).toEqual([expect.stringMatching(expected)]);
    expect(of('catalog')[0]).toMatch(/^error: Nothing responds .+ \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  });
});

describe('doctor, which nameserver answers', () => {
  /** Starts a nameserver that answers with its name, and with the serial 7 for any zone. */
  async function startServer(name: string): Promise<number> {
    const socket = createSocket('udp4');
    socket.on('message', (octets, { port, address }) => {
      const { id, questions = [] } = dnsPacket.decode(octets);
      const [question] = questions;
      const soa = {
        mname: 'a',
        rname: 'b',
        serial: 7,
        refresh: 1,
        retry: 1,
        expire: 1,
        minimum: 1,
      };
      const answer =
        question?.type === 'TXT'
          ? ({ type: 'TXT', class: 'CH', name: 'id.server', ttl: 0, data: name } as const)
          : ({ type: 'SOA', name: question?.name ?? '', ttl: 1, data: soa } as const);
      const flags = dnsPacket.AUTHORITATIVE_ANSWER;
      socket.send(
        dnsPacket.encode({ type: 'response', id, flags, questions, answers: [answer] }),
        port,
        address,
      );
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    ends.push(() => socket.close());
    return socket.address().port;
  }

  beforeAll(async () => {
    await installation.select(
      `insert into dns.nameserver_status (name, address, software, version, read_at, applied_before, zones, image_bytes, started_at,
         applied_at, heartbeat_at)
       select 'ns1-2', '0.0.0.0:53', 'zonewright-nameserver', '0.1.0', now(), pg_snapshot_xmin(pg_current_snapshot()), 0, 1, now(),
         now(), now() + interval '1 hour';
       update dns.nameserver_domain set serial = 7`,
    );
  });
  afterAll(async () => {
    await installation.select('delete from dns.nameserver_status');
  });

  it.each([
    ['ns1-5', /^error: At 127\.0\.0\.1:\d+, ns1-5 answers instead of ns1-2\. -> Correct its/],
    ['ns1-5.dns.test.', /^error: At 127\.0\.0\.1:\d+, ns1-5\.dns\.test\. answers instead of ns1-2/],
    ['ns1-2', /^ok: ns1-2 at .+ is up to date/],
    ['ns1-2.dns.test', /^ok: ns1-2 at .+ is up to date/],
    ['anycast-7', /^ok: ns1-2 at .+ is up to date/],
  ])('RFC 4892: reports that %s answers in place of ns1-2', async (name, expected) => {
    const port = await startServer(name);
    const { of } = await diagnose({ DOCTOR_NAMESERVERS: `ns1-2=127.0.0.1:${port}` });
    expect(of('nameservers').filter((finding) => finding.includes(String(port)))).toEqual([
      expect.stringMatching(expected),
    ]);
  });
});

describeWithRedis('doctor, Redis that refuses', () => {
  async function start(...options: string[]): Promise<{ server: PrivateRedis; client: Redis }> {
    const server = await PrivateRedis.start(...options);
    const client = new Redis(server.url);
    ends.push(
      () => server.stop(),
      () => {
        client.disconnect();
      },
    );
    return { server, client };
  }

  it('reports a wrong password as an error, without showing it', async () => {
    const { server, client } = await start();
    await client.config('SET', 'requirepass', 'the right word');
    const none = await diagnose({ REDIS_URL: server.url });
    expect(none.of('redis')).toEqual([
      expect.stringMatching(
        /^error: Redis rejects the login in REDIS_URL \(NOAUTH .+ -> Set its password/,
      ),
    ]);
    const wrong = server.url.replace('//', '//:wrong-word@');
    const { of, text } = await diagnose({ REDIS_URL: wrong });
    expect(of('redis')[0]).toMatch(
      /^error: Redis rejects the login in REDIS_URL \((NOAUTH|WRONGPASS)/,
    );
    expect(text).not.toContain('wrong-word');
  });

  it('reports a replica, a failed snapshot and full memory as obstacles to writes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-doctor-'));
    const { server, client } = await start('--dir', folder);
    rmSync(folder, { recursive: true });
    await client.call('BGSAVE');
    await waitFor(async () => (await client.info()).includes('rdb_last_bgsave_status:err'));
    await client.config('SET', 'maxmemory', '1mb');
    await client.call('REPLICAOF', '127.0.0.1', '1');
    const { exitCode, of } = await diagnose({ REDIS_URL: server.url });
    expect(exitCode).toBe(2);
    expect(of('redis')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^error: REDIS_URL points to a replica/),
        expect.stringMatching(/^warning: Redis could not write its last snapshot/),
        expect.stringMatching(/^warning: Redis uses \d+% of its maxmemory/),
      ]),
    );
  });
});
