import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assignRole,
  describeWithRedis,
  insertAccessKey,
  insertUser,
  PrivateRedis,
  startProxy,
  type TcpProxy,
  waitFor,
} from '@zonewright/testkit';
import { Redis } from 'ioredis';
import { AccessKeysClient } from './access-keys-client.js';
import { type AccessJson, call, tokenOf } from './client.js';
import { derive, revoke, statusOf, tokenByKey } from './ends-of-tokens.js';
import {
  keyring,
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilOnRedis,
  waitUntilReady,
} from './use-identity.js';

/** The time after which a revoked token must be invalid everywhere (ADR 0019). */
const DEAD_WITHIN_MS = 100;
const SENTINEL = 'zonewright:{token-state}:complete';

const identity = useIdentity();

describeWithRedis('A divided Redis: each replica asks a primary of its own (ADR 0019)', () => {
  let servers: PrivateRedis[];
  let postgres: TcpProxy;
  let replicas: RunningIdentity[];
  /** One replica still uses the old primary and reaches PostgreSQL through a proxy. */
  let behind: string;
  let ahead: string;

  beforeAll(async () => {
    servers = await Promise.all([PrivateRedis.start(), PrivateRedis.start()]);
    const { proxy, url } = await startProxy(identity.databaseUrl);
    postgres = proxy;
    replicas = await Promise.all(
      [url, identity.databaseUrl].map((databaseUrl, at) =>
        startIdentity(databaseUrl, { env: { REDIS_URL: servers[at]?.url ?? '' } }),
      ),
    );
    await Promise.all(replicas.map(waitUntilReady));
    await Promise.all(replicas.map(waitUntilOnRedis));
    [behind = '', ahead = ''] = replicas.map((replica) => replica.url);
    await refilled();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await postgres.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  /** Waits until both primaries have all states, so that both replicas answer from memory. */
  async function refilled(): Promise<void> {
    const token = await tokenOf(ahead, identity.world.user);
    for (const [at, server] of servers.entries()) {
      await waitFor(async () => {
        await statusOf(replicas[at]?.url ?? '', token);
        return (await withRedis(server, (client) => client.exists(SENTINEL))) === 1;
      });
    }
  }
  async function withRedis<T>(server: PrivateRedis, work: (client: Redis) => Promise<T>) {
    const client = new Redis(server.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  }
  async function expectGood(...tokens: string[]): Promise<void> {
    for (const url of [behind, ahead, behind]) {
      for (const token of tokens) expect(await statusOf(url, token)).toBe(200);
    }
  }
  async function expectDead(...tokens: string[]): Promise<void> {
    for (const token of tokens) {
      await waitFor(async () => (await statusOf(behind, token)) === 401, DEAD_WITHIN_MS);
    }
  }

  it('a token that is revoked at one replica is invalid at the other within 100 ms, and so are derived tokens', async () => {
    const token = await tokenOf(ahead, identity.world.user);
    const derived = (await derive(behind, token)) ?? '';
    await expectGood(token, derived);
    expect(await revoke(ahead, token)).toBe(204);
    await expectDead(token, derived);
    // The old primary also has the state, and PostgreSQL is no longer queried.
    const [old] = servers;
    const keys = await waitFor(async () => {
      const found = await withRedis(old as PrivateRedis, (client) =>
        client.keys('zonewright:{token-state}:*'),
      );
      return found.length > 2 && found;
    });
    expect(keys).toContain(SENTINEL);
    expect(await statusOf(behind, token)).toBe(401);
  });

  it('a token is rescoped at both within 100 ms', async () => {
    const { user, tenant } = identity.world;
    const id = await tokenOf(ahead, user);
    await expectGood(id);
    const body = { auth: { token: { id }, tenantId: tenant.id } };
    await call(ahead, { method: 'POST', path: '/v2.0/tokens', body });
    await waitFor(async () => {
      const answer = await call(behind, { path: `/v2.0/tokens/${id}`, token: id });
      return (answer.json as AccessJson).access.token.tenant?.id === tenant.id;
    }, DEAD_WITHIN_MS);
  });

  it('the tokens of a key that is deleted at one replica are invalid at the other within 100 ms', async () => {
    const { accountDomainId, roleIds, tenant } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    await assignRole(identity.db, {
      userId: user.id,
      roleId: roleIds.member,
      tenantId: tenant.id,
    });
    const key = await insertAccessKey(identity.db, keyring, { userId: user.id, accountDomainId });
    const token = await tokenByKey(behind, key);
    await expectGood(token);
    const client = new AccessKeysClient(ahead, await tokenOf(ahead, user));
    expect((await client.send('DELETE', `/${key.accessKey}`)).status).toBe(204);
    await expectDead(token);
  });

  it('a replica that receives no announcements trusts neither its memory nor its Redis', async () => {
    const token = await tokenOf(ahead, identity.world.user);
    await expectGood(token);
    postgres.cut();
    try {
      await revoke(ahead, token);
      await waitFor(async () => (await statusOf(behind, token)) === 503, DEAD_WITHIN_MS);
    } finally {
      postgres.restore();
    }
    // The service does not answer until it can query PostgreSQL again, and it never accepts the token.
    await waitFor(async () => {
      const status = await statusOf(behind, token);
      expect(status).not.toBe(200);
      return status === 401;
    });
  });

  describe('a Redis whose settings change while it runs', () => {
    const set = (name: string, value: string) =>
      withRedis(servers[0] as PrivateRedis, (client) => client.config('SET', name, value));
    const evictFrom = async (megabytes: number) => {
      await set('maxmemory', `${megabytes}mb`);
      await set('maxmemory-policy', 'allkeys-lru');
    };
    const evictNoMore = async () => {
      await set('maxmemory-policy', 'noeviction');
      await set('maxmemory', '0');
    };

    /** Returns a revoked token whose state Redis has lost; it is accepted as long as Redis is trusted. */
    async function revokedTokenThatIsLost(): Promise<string> {
      return await waitFor(async () => {
        const token = await tokenOf(behind, identity.world.user);
        expect(await revoke(behind, token)).toBe(204);
        await withRedis(servers[0] as PrivateRedis, async (client) => {
          for (const key of await client.keys('zonewright:{token-state}:*')) {
            if (key !== SENTINEL && !key.endsWith(':changes')) await client.del(key);
          }
        });
        return (await statusOf(behind, token)) === 200 && token;
      });
    }

    it('is not trusted from its next heartbeat on, if it may evict keys', async () => {
      const token = await revokedTokenThatIsLost();
      await evictFrom(100);
      await waitFor(async () => (await statusOf(behind, token)) === 401);
      await evictNoMore();
    });

    it('is not trusted after it has evicted keys, even if it no longer does', async () => {
      const token = await revokedTokenThatIsLost();
      await evictFrom(2);
      await withRedis(servers[0] as PrivateRedis, async (client) => {
        for (let key = 0; key < 400; key += 1) await client.set(`${key}`, 'x'.repeat(10_000));
      });
      await evictNoMore();
      await waitFor(async () => (await statusOf(behind, token)) === 401);
    });
  });
});
