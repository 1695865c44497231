import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import {
  createRedisNamespace,
  describeWithRedis,
  inTime,
  PrivateRedis,
  startProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import request from 'supertest';
import { ScriptedIdentity, VALID } from './support/scripted-identity.js';
import { testSettings } from './support/use-api.js';
import { usePlatform } from './support/use-platform.js';

/** The time after which a revoked token must be refused everywhere. */
const REVOKED_EVERYWHERE_MS = 100;

const limits = (url: string, token: string) =>
  request(url).get('/v1/limits').set('X-Auth-Token', token);

describe('Validation by the identity service', () => {
  const database = useTestDatabase();
  let identity: ScriptedIdentity;
  let service: DnsApiService;
  let url = '';

  beforeAll(async () => {
    identity = new ScriptedIdentity();
    const settings = testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
      IDENTITY_URL: await identity.start(),
    });
    service = DnsApiService.create(settings);
    url = (await service.start())['http'] ?? '';
    // A first request takes longer, which must not count against the time limit of a validation.
    await limits(url, 'first');
    identity.calls.length = 0;
  });
  afterAll(async () => {
    await service.stop();
    await identity.stop();
  });
  afterEach(() => {
    identity.calls.length = 0;
    identity.answer = () => Promise.resolve({ status: 200, body: VALID });
  });

  it('concurrent equal calls are joined', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    identity.answer = async () => {
      await held;
      return { status: 200, body: VALID };
    };
    const answers = Promise.all(Array.from({ length: 10 }, () => limits(url, 'same')));
    await waitFor(() => identity.calls.includes('validate'));
    setTimeout(release, 50);
    expect((await answers).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(identity.calls.filter((call) => call === 'validate')).toHaveLength(1);
  });

  it('without Redis no result is cached', async () => {
    await limits(url, 'again');
    await limits(url, 'again');
    expect(identity.calls.filter((call) => call === 'validate')).toHaveLength(2);
  });

  it('a rejected service token is replaced once', async () => {
    const statuses = [401, 200];
    identity.answer = () => Promise.resolve({ status: statuses.shift() ?? 500, body: VALID });
    expect((await limits(url, 'a')).status).toBe(200);
    expect(identity.calls).toEqual(['validate', 'authenticate', 'validate']);
    identity.answer = () => Promise.resolve({ status: 401 });
    expect((await limits(url, 'b')).status).toBe(503);
  });

  it.each([500, 503, 429, 302])(
    'an identity service that answers %i gives 503 with Retry-After, never access',
    async (status) => {
      identity.answer = () => Promise.resolve({ status });
      const response = await limits(url, 'x');
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      expect(response.body).toMatchObject({ code: 503, type: 'unavailable' });
    },
  );

  it('one that does not answer gives 503 within 2 s', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    identity.answer = async () => {
      await held;
      return { status: 200, body: VALID };
    };
    const { status } = await inTime(2_000, async () => await limits(url, 'slow'));
    expect(status).toBe(503);
    release();
  });

  it('an unexpected body gives no access', async () => {
    identity.answer = () => Promise.resolve({ status: 200, body: { token: {} } });
    expect((await limits(url, 'x')).status).toBe(503);
  });

  it('a header that is not in the form of a token is not forwarded', async () => {
    const response = await limits(url, 'two words');
    expect(response.status).toBe(401);
    expect(identity.calls).toEqual([]);
  });
});

describeWithRedis('Revocation', () => {
  const redis = createRedisNamespace();
  const platform = usePlatform({
    env: () => ({ REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix }),
  });

  it('a revoked token is refused within 100 ms, even if it was cached as valid', async () => {
    const token = await platform.login(platform.world.user, platform.world.tenant.id);
    expect((await limits(platform.dnsUrl, token)).status).toBe(200);
    expect((await limits(platform.dnsUrl, token)).status).toBe(200);
    await platform.revoke(token);
    await waitFor(
      async () => (await limits(platform.dnsUrl, token)).status === 401,
      REVOKED_EVERYWHERE_MS,
    );
  });
});

describeWithRedis('A Redis that has gone without a word (ADR 0019)', () => {
  const database = useTestDatabase();

  it('is noticed within a second; until it answers again nothing is cached', async () => {
    const identity = new ScriptedIdentity();
    const redis = await PrivateRedis.start();
    const { proxy, url: redisUrl } = await startProxy(redis.url);
    const service = DnsApiService.create(
      testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
        IDENTITY_URL: await identity.start(),
        REDIS_URL: redisUrl,
      }),
    );
    const url = (await service.start())['http'] ?? '';
    try {
      identity.revocationsAt = await runIdOf(redis);
      await waitFor(async () => {
        identity.calls.length = 0;
        await limits(url, 'token');
        return !identity.calls.includes('validate');
      });
      proxy.stall();
      identity.answer = () => Promise.resolve({ status: 404 });
      // The limit is much shorter than the 5 s for which a result may be cached.
      await waitFor(async () => (await limits(url, 'token')).status === 401, 3_000);
      proxy.restore();
    } finally {
      await service.stop();
      await proxy.stop();
      await redis.stop();
      await identity.stop();
    }
  });
});

async function runIdOf(redis: PrivateRedis): Promise<string | undefined> {
  const client = new Redis(redis.url);
  try {
    return /^run_id:(\w+)/m.exec(await client.info('server'))?.[1];
  } finally {
    client.disconnect();
  }
}

describeWithRedis('The cache', () => {
  const database = useTestDatabase();

  it('caches only while revocations are received', async () => {
    const identity = new ScriptedIdentity();
    const redis = await PrivateRedis.start();
    const service = DnsApiService.create(
      testSettings(database.urlAs(DATABASE_ROLES.dnsApi), {
        IDENTITY_URL: await identity.start(),
        REDIS_URL: redis.url,
      }),
    );
    const url = (await service.start())['http'] ?? '';
    const validationsOfTwoRequests = async () => {
      identity.calls.length = 0;
      await limits(url, 'token');
      await limits(url, 'token');
      return identity.calls.filter((call) => call === 'validate').length;
    };
    try {
      identity.revocationsAt = await runIdOf(redis);
      await waitFor(async () => (await validationsOfTwoRequests()) < 2);
      await redis.kill();
      await waitFor(async () => (await validationsOfTwoRequests()) === 2);
      await redis.resume();
      identity.revocationsAt = await runIdOf(redis);
      await waitFor(async () => (await validationsOfTwoRequests()) < 2);
      // A replaced primary still accepts subscribers, but receives no revocations.
      identity.revocationsAt = 'another Redis';
      await waitFor(async () => (await validationsOfTwoRequests()) === 2);
    } finally {
      await service.stop();
      await redis.stop();
      await identity.stop();
    }
    expect(await identity.answer('')).toMatchObject({ status: 200 });
  });
});
