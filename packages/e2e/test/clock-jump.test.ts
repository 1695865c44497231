import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import {
  sendQuery,
  describeWithRedis,
  type NameserverAddress,
  PrivateRedis,
  readTestEnvironment,
  waitFor,
} from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call, insist } from './support/clients.js';
import { Installation, type RunningService } from './support/installation.js';
import { NameserverWatch } from './support/nameserver-watch.js';
import { describeWithProcessClock, ProcessClock } from './support/process-clock.js';

const SERVICES = ['identity-service', 'dns-api', 'nameserver'] as const;
type Service = (typeof SERVICES)[number];

const TENANT = 'jumper';
const ZONE = 'jump.example.';
/** A minute more than the lifetime of a token. */
const JUMP_SECONDS = 12 * 60 * 60 + 60;
/** Validity of an access key in the test, six hours. */
const KEY_MS = 6 * 60 * 60 * 1_000;
/** Time limit on a busy machine. dns-api caches a validation for 5 s. */
const KNOWN_WITHIN_MS = 10_000;
const WRITE_PAUSE_MS = 50;

const JUMPS = [...SERVICES.map((service): readonly Service[] => [service]), SERVICES].flatMap(
  (services): [string, string, readonly Service[], number][] => [
    [services.join(', '), 'forward', services, JUMP_SECONDS],
    [services.join(', '), 'back', services, -JUMP_SECONDS],
  ],
);

describeWithRedis('with Redis', () => {
  describeWithProcessClock('a clock that jumps by 12 h under load', () => {
    const clocks = new Map<Service, ProcessClock>();
    const acknowledged: string[] = [];
    let redis: PrivateRedis;
    let installation: Installation;
    let running: RunningService[];
    let identity: string;
    let domain: string;
    let nameserver: NameserverAddress;
    let watch: NameserverWatch;
    let isOver = false;
    let writer: Promise<void>;

    beforeAll(async () => {
      for (const service of SERVICES) clocks.set(service, await ProcessClock.create());
      redis = await PrivateRedis.start();
      installation = new Installation(readTestEnvironment().postgresUrl);
      await installation.prepare();
      installation.addTenant(TENANT);
      installation.operate('quota', 'set', TENANT, '--max-records', '100000');
      await startServices();
      await waitFor(() => logIn(), KNOWN_WITHIN_MS);
      await createZone();
      watch = new NameserverWatch(nameserver, ZONE);
      writer = writeRecords();
    }, 120_000);
    afterEach(async () => {
      await setClocks(SERVICES, 0);
    });
    afterAll(async () => {
      isOver = true;
      await writer;
      await watch.stop();
      await installation.stop();
      await redis.stop();
      for (const clock of clocks.values()) await clock.remove();
    });

    async function startServices(): Promise<void> {
      const envOf = (service: Service) => clocks.get(service)?.env ?? {};
      const shared = { REDIS_URL: redis.url };
      const first = await installation.startIdentity({
        ...shared,
        ...envOf('identity-service'),
        RATE_LIMITS: 'false',
      });
      identity = first.addresses['http'] ?? '';
      const api = await installation.startDnsApi({
        ...shared,
        ...envOf('dns-api'),
        IDENTITY_URL: identity,
      });
      domain = `${api.addresses['http'] ?? ''}/v1/domains`;
      const server = await installation.startNameserver('ns1-1', envOf('nameserver'));
      const [host = '', port] = (server.addresses['dns'] ?? '').split(':');
      nameserver = { host, port: Number(port) };
      running = [first, api, server];
    }

    async function createZone(): Promise<void> {
      const { body } = await insist(domain, {
        method: 'POST',
        token: await logIn(),
        body: { name: ZONE, email: 'hostmaster@jump.example' },
      });
      domain = `${domain}/${(body as { id: string }).id}`;
      await waitFor(async () => (await addressesOf(ZONE, 'SOA')) === 1, KNOWN_WITHIN_MS);
    }

    async function setClocks(services: readonly Service[], seconds: number): Promise<void> {
      for (const service of services) await clocks.get(service)?.set(seconds);
    }

    async function authenticate(credentials: object) {
      return await call(`${identity}/v2.0/tokens`, {
        method: 'POST',
        body: { auth: { ...credentials, tenantName: TENANT } },
      });
    }

    async function logIn(): Promise<string> {
      const { body } = await authenticate({
        passwordCredentials: { username: TENANT, password: TENANT },
      });
      return (body as { access: { token: { id: string } } }).access.token.id;
    }

    const write = (token: string, name: string, headers = {}) =>
      call(`${domain}/records`, {
        method: 'POST',
        token,
        headers,
        body: { name, type: 'A', data: '192.0.2.1' },
      });

    const addressesOf = async (name: string, type: 'A' | 'SOA', transport?: 'tcp') =>
      (await sendQuery(nameserver, name.slice(0, -1), type, transport && { transport })).answers
        .length;

    const statusAtIdentity = async (token: string) =>
      (await call(`${identity}/v2.0/tenants`, { token })).status;
    const statusAtDnsApi = async (token: string) => (await call(domain, { token })).status;

    /** Writes as a client that requests a new token when its own has expired. */
    async function writeRecords(): Promise<void> {
      let token = await logIn();
      while (!isOver) {
        const name = `r${randomUUID()}.${ZONE}`;
        const { status } = await write(token, name);
        if (status === 200) acknowledged.push(name);
        else if (status === 401) token = await logIn();
        else throw new Error(`the answer was ${status}`);
        await delay(WRITE_PAUSE_MS);
      }
    }

    /** Returns a revoked token that both APIs reject. */
    async function newRevokedToken(): Promise<string> {
      const token = await logIn();
      expect(await statusAtDnsApi(token)).toBe(200);
      const url = `${identity}/v2.0/tokens/${token}`;
      expect((await call(url, { method: 'DELETE', token })).status).toBe(204);
      // The revocation takes up to 100 ms to arrive.
      await waitFor(async () => (await statusAtDnsApi(token)) === 401);
      return token;
    }

    /** @returns the credentials of an access key that is valid from now on, for six hours */
    async function newAccessKey(): Promise<object> {
      const { body } = await call(`${identity}/v2.0/EXT-IDM/v1.0/accesskeys`, {
        method: 'POST',
        token: await logIn(),
        body: { accessKey: { validTo: Date.now() + KEY_MS } },
      });
      const { accessKeyId, secretKey } = (body as { accessKey: Record<string, string> }).accessKey;
      return { apiAccessKeyCredentials: { accessKey: accessKeyId, secretKey } };
    }

    /** Expects that a new token, a write with it that waits, and its answer work. */
    async function expectAllWorks(): Promise<void> {
      const name = `w${randomUUID()}.${ZONE}`;
      expect((await write(await logIn(), name)).status).toBe(200);
      await waitFor(async () => (await addressesOf(name, 'A')) === 1);
      expect(await addressesOf(name, 'A', 'tcp')).toBe(1);
    }

    /** Expects the status of both APIs for a token, and that of a login with a key. */
    async function expectStatuses(token: string, key: object, status: number): Promise<void> {
      expect(await statusAtIdentity(token)).toBe(status);
      expect((await authenticate(key)).status).toBe(status);
      await waitFor(async () => (await statusAtDnsApi(token)) === status, KNOWN_WITHIN_MS);
    }

    it.each(JUMPS)(
      '%s, %s: its clock decides about tokens and keys',
      async (_, __, services, seconds) => {
        const revoked = await newRevokedToken();
        const live = await logIn();
        const key = await newAccessKey();
        const expectRevoked = async () => {
          expect([await statusAtIdentity(revoked), await statusAtDnsApi(revoked)]).toEqual([
            401, 401,
          ]);
        };
        await expectStatuses(live, key, 200);

        await setClocks(services, seconds);
        await expectAllWorks();
        await expectRevoked();
        if (services.includes('identity-service')) {
          expect((await authenticate(key)).status).toBe(401);
          if (seconds > 0) await expectStatuses(live, key, 401);
          // Data that is read again is read with the wrong clock.
          await redis.kill();
          await redis.resume();
          await expectAllWorks();
        } else await expectStatuses(live, key, 200);

        await setClocks(services, 0);
        await expectAllWorks();
        await expectStatuses(live, key, 200);
        await expectRevoked();
      },
      60_000,
    );

    it('no process crashed, each nameserver answered throughout, no serial decreased, and every write exists', async () => {
      isOver = true;
      await writer;
      expect(running.map(({ process }) => process.exitCode)).toEqual([null, null, null]);
      const { body } = await call(`${domain}/records`, { token: await logIn() });
      const names = (body as { records: { name: string }[] }).records.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(acknowledged));
      expect([watch.silences, watch.isRising]).toEqual([0, true]);
      process.stdout.write(`${acknowledged.length} writes, ${watch.serials.length} answers\n`);
    });
  });
});
