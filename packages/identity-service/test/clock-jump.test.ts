import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createRedisNamespace,
  describeWithRedis,
  FakeClock,
  waitFor,
  runRetention,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { retentionRules } from '@zonewright/accounts';
import { call, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  testSettings,
  useIdentity,
  waitUntilOnRedis,
  waitUntilReady,
} from './use-identity.js';

const TWELVE_HOURS_MS = 12 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

const identity = useIdentity();

describe('A clock that jumps by 12 h', () => {
  const clock = new FakeClock();
  let service: RunningIdentity;

  beforeAll(async () => {
    service = await startIdentity(identity.databaseUrl, { clock });
    await waitUntilReady(service);
  });
  afterAll(() => service.stop());

  const statusOf = async (token: string) =>
    (await call(service.url, { path: '/v2.0/tenants', token })).status;
  const logIn = async (password: string) => {
    const { user } = identity.world;
    const { status } = await call(service.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      body: { auth: { passwordCredentials: { username: user.name, password } } },
    });
    return status;
  };

  it('forward: earlier tokens have expired, and new ones are valid', async () => {
    const token = await tokenOf(service.url, identity.world.user);
    expect(await statusOf(token)).toBe(200);
    clock.advance(TWELVE_HOURS_MS + MINUTE_MS);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await tokenOf(service.url, identity.world.user))).toBe(200);
  });

  it('back: log-ins continue, the current clock decides about tokens, and a revoked one stays revoked', async () => {
    const token = await tokenOf(service.url, identity.world.user);
    const revoked = await tokenOf(service.url, identity.world.user);
    const path = `/v2.0/tokens/${revoked}`;
    expect((await call(service.url, { method: 'DELETE', path, token })).status).toBe(204);
    clock.advance(-TWELVE_HOURS_MS);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(revoked)).toBe(401);
    expect(await logIn(identity.world.user.password)).toBe(200);
    expect(await logIn('wrong')).toBe(401);
  });
});

describe('A clock that ran ahead for a while', () => {
  const AHEAD_MS = TWELVE_HOURS_MS + MINUTE_MS;

  async function revokedToken(url: string): Promise<string> {
    const token = await tokenOf(url, identity.world.user);
    const path = `/v2.0/tokens/${token}`;
    expect((await call(url, { method: 'DELETE', path, token })).status).toBe(204);
    return token;
  }
  const statusOf = async (url: string, token: string) =>
    (await call(url, { path: '/v2.0/tenants', token })).status;

  it('restores no revoked token: revocations are stored for longer than the token would have lived', async () => {
    const token = await revokedToken(identity.url);
    const clock = new FakeClock();
    const rules = retentionRules(testSettings());
    clock.advance(AHEAD_MS);
    await runRetention(identity.db, rules, new Date(clock.now()));
    expect(await statusOf(identity.url, token)).toBe(401);
    clock.advance(4 * TWELVE_HOURS_MS);
    await runRetention(identity.db, rules, new Date(clock.now()));
    const { rows } = await identity.db.raw<{ rows: unknown[] }>('select from identity.token_state');
    expect(rows).toHaveLength(0);
  });

  describeWithRedis('and filled Redis meanwhile', () => {
    it('restores no revoked token', async () => {
      const namespace = createRedisNamespace();
      const clock = new FakeClock();
      const service = await startIdentity(identity.databaseUrl, {
        clock,
        env: { REDIS_URL: namespace.url, REDIS_KEY_PREFIX: namespace.prefix },
      });
      const redis = new Redis(namespace.url);
      try {
        await waitUntilOnRedis(service);
        const token = await revokedToken(service.url);
        clock.advance(AHEAD_MS);
        await namespace.clear();
        const other = await tokenOf(service.url, identity.world.user);
        await waitFor(async () => {
          await statusOf(service.url, other);
          return (await redis.exists(`${namespace.prefix}{token-state}:complete`)) === 1;
        });
        clock.advance(-AHEAD_MS);
        expect(await statusOf(service.url, token)).toBe(401);
      } finally {
        redis.disconnect();
        await service.stop();
        await namespace.clear();
      }
    });
  });
});
