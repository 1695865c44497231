import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  describeWithRedis,
  PrivateRedis,
  startProxy,
  type TcpProxy,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { createHash } from 'node:crypto';
import { type AccessJson, call, expectSoon, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity();

describeWithRedis('Token state', () => {
  let redis: PrivateRedis;
  let postgresProxy: TcpProxy;
  let redisProxy: TcpProxy;
  /** One replica reaches Redis and PostgreSQL through proxies, the other one directly. */
  let behindProxies: RunningIdentity;
  let direct: RunningIdentity;
  const prefix = 'state-test:';

  beforeAll(async () => {
    redis = await PrivateRedis.start();
    const postgres = await startProxy(identity.databaseUrl);
    const cuttable = await startProxy(redis.url);
    postgresProxy = postgres.proxy;
    redisProxy = cuttable.proxy;
    const REDIS_KEY_PREFIX = prefix;
    behindProxies = await startIdentity(postgres.url, {
      env: { REDIS_URL: cuttable.url, REDIS_KEY_PREFIX },
    });
    direct = await startIdentity(identity.databaseUrl, {
      env: { REDIS_URL: redis.url, REDIS_KEY_PREFIX },
    });
    await Promise.all([waitUntilReady(behindProxies), waitUntilReady(direct)]);
  });
  afterAll(async () => {
    await behindProxies.stop();
    await direct.stop();
    await postgresProxy.stop();
    await redisProxy.stop();
    await redis.stop();
  });

  async function withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(redis.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }

  async function statusOf(token: string, service = direct): Promise<number> {
    return (await call(service.url, { path: `/v2.0/tokens/${token}`, token })).status;
  }

  async function revoke(token: string, service = direct): Promise<void> {
    const answer = await call(service.url, {
      method: 'DELETE',
      path: `/v2.0/tokens/${token}`,
      token,
    });
    expect(answer.status).toBe(204);
  }

  /** Waits until the sentinel shows that Redis has all states. */
  async function refilled(): Promise<void> {
    const token = await tokenOf(direct.url, identity.world.user);
    await waitFor(async () => {
      await statusOf(token);
      return await withRedis((client) => client.exists(`${prefix}{token-state}:complete`)).then(
        Boolean,
      );
    });
  }

  async function newRevokedToken(): Promise<string> {
    const token = await tokenOf(direct.url, identity.world.user);
    await revoke(token);
    return token;
  }

  it('a revoked token stays revoked after FLUSHALL, and Redis is refilled', async () => {
    const token = await newRevokedToken();
    await refilled();
    await withRedis((client) => client.flushall());
    expect(await statusOf(token)).toBe(401);
    await refilled();
    const states = await withRedis((client) => client.keys(`${prefix}{token-state}:*`));
    expect(states.length).toBeGreaterThan(1);
    expect(await statusOf(token)).toBe(401);
  });

  it('a revoked token stays revoked after a restart of Redis', async () => {
    const token = await newRevokedToken();
    await refilled();
    await redis.kill();
    expect(await statusOf(token)).toBe(401);
    await redis.resume();
    expect(await statusOf(token)).toBe(401);
    await refilled();
    expect(await statusOf(token)).toBe(401);
  });

  it('a revoked token stays revoked when a restarted Redis has old data', async () => {
    await refilled();
    const token = await newRevokedToken();
    const sentinel = `${prefix}{token-state}:complete`;
    const stale = await withRedis((client) => client.get(sentinel));
    await redis.kill();
    await redis.resume();
    // This is the value that a snapshot from before the revocation would restore.
    await withRedis((client) => client.set(sentinel, stale ?? ''));
    expect(await statusOf(token)).toBe(401);
  });

  it('a revoked token stays revoked after a restart of the service', async () => {
    const token = await newRevokedToken();
    const restarted = await startIdentity(identity.databaseUrl);
    try {
      expect(await statusOf(token, restarted)).toBe(401);
    } finally {
      await restarted.stop();
    }
  });

  it('a token can be revoked while Redis is stopped, and stays revoked', async () => {
    const token = await tokenOf(direct.url, identity.world.user);
    const other = await tokenOf(direct.url, identity.world.user);
    await redis.kill();
    await revoke(token);
    expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200]);
    await redis.resume();
    expect(await statusOf(token)).toBe(401);
    await refilled();
    expect([await statusOf(token), await statusOf(other)]).toEqual([401, 200]);
  });

  it('a revocation by a replica without Redis applies to all others', async () => {
    await refilled();
    const token = await tokenOf(direct.url, identity.world.user);
    redisProxy.cut();
    try {
      await revoke(token, behindProxies);
      await expectSoon(async () => (await statusOf(token)) === 401);
      await refilled();
      expect(await statusOf(token)).toBe(401);
    } finally {
      redisProxy.restore();
    }
  });

  it('a rescope survives FLUSHALL as well', async () => {
    const { user, tenant } = identity.world;
    const id = await tokenOf(direct.url, user);
    const body = { auth: { token: { id }, tenantId: tenant.id } };
    await call(direct.url, { method: 'POST', path: '/v2.0/tokens', body });
    await withRedis((client) => client.flushall());
    for (const service of [direct, behindProxies]) {
      const answer = await call(service.url, { path: `/v2.0/tokens/${id}`, token: id });
      expect((answer.json as AccessJson).access.token.tenant?.id).toBe(tenant.id);
    }
  });

  it('without PostgreSQL and Redis the response is 503', async () => {
    const token = await newRevokedToken();
    postgresProxy.cut();
    redisProxy.cut();
    try {
      expect(await statusOf(token, behindProxies)).toBe(503);
    } finally {
      postgresProxy.restore();
      redisProxy.restore();
    }
    await waitFor(async () => (await statusOf(token, behindProxies)) === 401);
  });

  it('contract: revoking and rescoping are published, with the SHA-256 of the token', async () => {
    const { user, tenant } = identity.world;
    const subscriber = new Redis(redis.url);
    const received: string[] = [];
    subscriber.on('message', (_channel, message: string) => received.push(message));
    try {
      await subscriber.subscribe(`${prefix}revocations`);
      const id = await tokenOf(direct.url, user);
      const hash = createHash('sha256').update(id).digest('hex');
      const body = { auth: { token: { id }, tenantId: tenant.id } };
      await call(direct.url, { method: 'POST', path: '/v2.0/tokens', body });
      await expectSoon(() =>
        Promise.resolve(received.filter((message) => message === hash).length === 1),
      );
      await revoke(id);
      await expectSoon(() =>
        Promise.resolve(received.filter((message) => message === hash).length === 2),
      );
    } finally {
      subscriber.disconnect();
    }
  });

  it('contract: a change of users, roles or catalog is published as *', async () => {
    const subscriber = new Redis(redis.url);
    const received: string[] = [];
    subscriber.on('message', (_channel, message: string) => received.push(message));
    try {
      await subscriber.subscribe(`${prefix}revocations`);
      await identity.db.raw('update identity.endpoints set region = region');
      await expectSoon(() => Promise.resolve(received.includes('*')));
    } finally {
      subscriber.disconnect();
    }
  });

  it('a Redis that evicts keys is not trusted', async () => {
    await withRedis((client) => client.config('SET', 'maxmemory', '100mb'));
    await withRedis((client) => client.config('SET', 'maxmemory-policy', 'volatile-lru'));
    const service = await startIdentity(identity.databaseUrl, {
      env: { REDIS_URL: redis.url, REDIS_KEY_PREFIX: 'evicting:' },
    });
    try {
      await waitUntilReady(service);
      const token = await tokenOf(service.url, identity.world.user);
      expect(await statusOf(token, service)).toBe(200);
      await revoke(token, service);
      expect(await statusOf(token, service)).toBe(401);
      const { length } = await withRedis((client) => client.keys('evicting:*complete'));
      expect(length).toBe(0);
    } finally {
      await service.stop();
    }
  });
});
