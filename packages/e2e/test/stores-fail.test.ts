import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  sendQuery,
  describeWithRedis,
  inTime,
  PrivateRedis,
  startProxy,
  type TcpProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, authenticate, call } from './support/clients.js';
import { RunningPlatform } from './support/running-platform.js';

const ANSWER_WITHIN_MS = 2_000;
/** Time limit: three times the promise, since everything runs at once. */
const RECOVER_WITHIN_MS = 15_000;
/** Time for which dns-api caches a validation, 5 s. */
const BELIEVED_MS = 5_000;
const SLOW_MS = 5_000;

describeWithRedis('stores that fail', () => {
  const database = useTestDatabase();
  let redis: PrivateRedis;
  let postgresProxy: TcpProxy;
  let redisProxy: TcpProxy;
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let domains: string;
  let tokens: string;
  let token: string;

  beforeAll(async () => {
    redis = await PrivateRedis.start();
    const postgres = await startProxy(database.url);
    const throughRedis = await startProxy(redis.url);
    postgresProxy = postgres.proxy;
    redisProxy = throughRedis.proxy;
    platform = await RunningPlatform.prepareEmpty();
    await platform.start({ DATABASE_URL: postgres.url, REDIS_URL: throughRedis.url });
    facts = await platform.readDemoEnvironment();
    domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
    tokens = `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`;
    token = await authenticate(facts);
    expect((await create('faults')).status).toBe(200);
    await waitFor(answersDns);
  }, 120_000);
  afterEach(async () => {
    postgresProxy.restore();
    redisProxy.restore();
    await waitFor(isWell, 30_000);
  });
  afterAll(async () => {
    await platform.remove();
    await postgresProxy.stop();
    await redisProxy.stop();
    await redis.stop();
  });

  const create = (name: string) =>
    call(domains, {
      method: 'POST',
      token,
      body: { name: `${name}.example.`, email: 'hostmaster@faults.example' },
    });
  const list = (of = token) => call(domains, { token: of });
  const zones = (body?: object) =>
    call(domains.replace('/v1/domains', '/v2/zones'), {
      token,
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
  const projects = () => call(tokens.replace('/v2.0/tokens', '/v3/projects'), { token });
  const answersDns = async () =>
    (await sendQuery(platform.nameserver, 'faults.example', 'SOA')).answers.length === 1;
  const isWell = async () => {
    const answer = await list(await authenticate(facts)).catch(() => undefined);
    return answer?.status === 200;
  };
  /** Sends a login that needs PostgreSQL, with an unknown name. */
  const logIn = (accept: string) =>
    fetch(tokens, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({
        auth: { passwordCredentials: { username: `nobody-${Math.random()}`, password: 'x' } },
      }),
    });

  const logInV3 = () =>
    call(tokens.replace('/v2.0/tokens', '/v3/auth/tokens'), {
      method: 'POST',
      body: {
        auth: {
          identity: {
            methods: ['password'],
            password: {
              user: { name: `nobody-${Math.random()}`, domain: { id: 'default' }, password: 'x' },
            },
          },
        },
      },
    });

  const timed = <T>(request: () => Promise<T>) => inTime(ANSWER_WITHIN_MS, request);

  async function expectUnavailable(request: () => Promise<ApiAnswer>): Promise<void> {
    const { status, headers, body } = await timed(request);
    expect({ status, body }).toMatchObject({
      status: 503,
      body: { code: 503, type: 'unavailable' },
    });
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }

  async function expectIdentityUnavailable(requests = [logInV3, projects]): Promise<void> {
    const json = await timed(() => logIn('application/json'));
    expect(json.status).toBe(503);
    expect(json.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await json.json()).toMatchObject({ serviceUnavailable: { code: 503 } });
    const xml = await timed(() => logIn('application/xml'));
    expect(xml.status).toBe(503);
    expect(await xml.text()).toMatch(/<serviceUnavailable [^>]*code="503"/);
    for (const request of requests) {
      const { status, headers, body } = await timed(request);
      expect({ status, body }).toMatchObject({
        status: 503,
        body: { error: { code: 503, title: 'serviceUnavailable' } },
      });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  }

  /** Expects the error format of Designate: openstack shows the message, and the request id for the log. */
  async function expectDesignateUnavailable(): Promise<void> {
    const zone = { name: 'not-now.example.', email: 'hostmaster@faults.example' };
    for (const request of [() => zones(), () => zones(zone)]) {
      const { status, headers, body } = await timed(request);
      expect({ status, body }).toEqual({
        status: 503,
        body: {
          code: 503,
          type: 'unavailable',
          message: expect.any(String),
          errors: [],
          request_id: headers.get('x-openstack-request-id'),
        },
      });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  }

  /** Returns the log lines of dns-api's requests. */
  const requestLines = () =>
    readFileSync(join(platform.dataFolder, 'logs', 'dns-api.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as { status: number; milliseconds: number });

  describe('PostgreSQL', () => {
    const faults: [string, () => void][] = [
      [
        'stopped',
        () => {
          postgresProxy.cut();
        },
      ],
      [
        'slow by 5 s',
        () => {
          postgresProxy.delay(SLOW_MS);
        },
      ],
      [
        'there, but silent',
        () => {
          postgresProxy.stall();
        },
      ],
    ];

    it.each(faults)(
      '%s: each format returns 503 within 2 s, DNS continues, and everything recovers within 5 s',
      async (_, fail) => {
        fail();
        await expectUnavailable(() => create('not-now'));
        await expectUnavailable(() => list());
        await expectDesignateUnavailable();
        await expectIdentityUnavailable();
        expect(await answersDns()).toBe(true);
        postgresProxy.restore();
        await waitFor(async () => (await list()).status === 200, RECOVER_WITHIN_MS);
        await waitFor(async () => (await logIn('*/*')).status === 401, RECOVER_WITHIN_MS);
      },
    );

    it('when all connections are in use, further requests are refused in time, and nothing accumulates', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let lock: Promise<void> | undefined;
      await new Promise<void>((locked, failed) => {
        lock = database.db.transaction(async (trx) => {
          await trx.raw('lock table dns.domains, identity.users in access exclusive mode');
          locked();
          await held;
        });
        lock.catch(failed);
      });
      try {
        const answers = await Promise.all(
          Array.from({ length: 400 }, async () => (await list()).status),
        );
        expect(answers.filter((status) => status !== 503)).toEqual([]);
        // Operations without users may find a connection.
        await expectIdentityUnavailable([logInV3]);
      } finally {
        release();
        await lock;
      }
      await waitFor(async () => (await list()).status === 200, RECOVER_WITHIN_MS);
      await waitFor(async () => (await logIn('*/*')).status === 401, RECOVER_WITHIN_MS);
      // Measured by the service: a client with 400 concurrent requests has its own queue.
      const refused = requestLines().filter(({ status }) => status === 503);
      const slowest = Math.max(...refused.map(({ milliseconds }) => milliseconds));
      process.stdout.write(`400 requests on a locked table: the slowest 503 after ${slowest} ms\n`);
      expect(slowest).toBeLessThan(2 * ANSWER_WITHIN_MS);
    });
  });

  describe('Redis', () => {
    const revoke = (mine: string) => call(`${tokens}/${mine}`, { method: 'DELETE', token: mine });
    const statusOf = async (mine: string) => (await list(mine)).status;
    const faults: [string, () => Promise<void> | void][] = [
      [
        'stopped',
        () => {
          redisProxy.cut();
        },
      ],
      [
        'slow by 5 s',
        () => {
          redisProxy.delay(SLOW_MS);
        },
      ],
      [
        'there, but silent',
        () => {
          redisProxy.stall();
        },
      ],
      [
        'emptied',
        async () => {
          const client = new Redis(redis.url);
          await client.flushall();
          client.disconnect();
        },
      ],
      [
        'restarted, empty',
        async () => {
          await redis.kill();
          await redis.resume();
        },
      ],
    ];

    it.each(faults)(
      '%s: revocation stays exact, limits apply, and everything recovers automatically',
      async (_, fail) => {
        const before = await authenticate(facts);
        expect(await statusOf(before)).toBe(200);
        expect((await revoke(before)).status).toBe(204);
        // The revocation takes up to 100 ms while everything works.
        await waitFor(async () => (await statusOf(before)) === 401);
        const known = await authenticate(facts);
        expect(await statusOf(known)).toBe(200);
        await fail();
        await waitFor(async () => (await statusOf(token)) === 200, RECOVER_WITHIN_MS);
        expect((await zones()).status).toBe(200);
        // The user does not administer anything.
        expect((await projects()).status).toBe(403);
        expect(await statusOf(before)).toBe(401);
        const revoked = await revoke(known);
        const revokedAt = Date.now();
        expect(revoked.status).toBe(204);
        // dns-api gets no announcement now, and uses its cache for a limited time.
        await waitFor(async () => (await statusOf(known)) === 401, BELIEVED_MS + ANSWER_WITHIN_MS);
        // One revocation per second is allowed with a token, and the previous one is a second ago.
        await waitFor(() => Date.now() - revokedAt > 1_000);
        const statuses = await Promise.all(
          Array.from({ length: 4 }, async () => {
            const url = `${tokens}/unknown`;
            return (await call(url, { method: 'DELETE', token })).status;
          }),
        );
        expect(statuses.toSorted()).toEqual([404, 429, 429, 429]);
        redisProxy.restore();
        await waitFor(async () => (await statusOf(token)) === 200, RECOVER_WITHIN_MS);
        expect(await statusOf(before)).toBe(401);
        expect(await statusOf(known)).toBe(401);
      },
    );
  });

  it('when both are stopped, each API returns 503 in its format, and everything recovers automatically', async () => {
    redisProxy.cut();
    postgresProxy.cut();
    await expectUnavailable(() => list());
    await expectDesignateUnavailable();
    await expectIdentityUnavailable();
    expect(await answersDns()).toBe(true);
  });

  it('when identity-service is stopped, dns-api returns 503 within 2 s, known tokens last at most 5 s, and it recovers automatically', async () => {
    expect((await list()).status).toBe(200);
    const pid = platform.pidOf('identity-service');
    process.kill(pid, 'SIGSTOP');
    try {
      await expectUnavailable(() => list('never-seen-before'));
      await waitFor(async () => (await list()).status === 503, BELIEVED_MS + ANSWER_WITHIN_MS);
      expect(await answersDns()).toBe(true);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await waitFor(async () => (await list()).status === 200, RECOVER_WITHIN_MS);
  });
});
