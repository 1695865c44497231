import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assignRole,
  createRedisNamespace,
  describeWithRedis,
  insertAccessKey,
  insertTenant,
  insertUser,
  type TestUser,
  waitFor,
} from '@zonewright/testkit';
import { AccessKeysClient } from './access-keys-client.js';
import { tokenOf } from './client.js';
import { derive, revoke, setPassword, statusOf, tokenByKey } from './ends-of-tokens.js';
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

describe('What ends a token (ADR 0019)', () => {
  const identity = useIdentity();

  describe.each(['without Redis', 'with Redis'])('%s', (redis) => {
    const suite = () => {
      endsOfTokens(redis === 'with Redis' ? createRedisNamespace() : undefined);
    };
    if (redis === 'with Redis') describeWithRedis('on both replicas', suite);
    else suite();
  });

  function endsOfTokens(redis: ReturnType<typeof createRedisNamespace> | undefined): void {
    let replicas: RunningIdentity[];
    let url: string;

    beforeAll(async () => {
      const env = redis && { REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix };
      const options = env === undefined ? {} : { env };
      replicas = await Promise.all([1, 2].map(() => startIdentity(identity.databaseUrl, options)));
      await Promise.all(replicas.map(waitUntilReady));
      if (redis !== undefined) await Promise.all(replicas.map(waitUntilOnRedis));
      url = replicas[0]?.url ?? '';
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await redis?.clear();
    });

    /** Expects this status from all replicas, and from memory if possible. */
    async function expectAll(tokens: readonly string[], status: number): Promise<void> {
      for (const replica of replicas) {
        for (const token of tokens) expect(await statusOf(replica.url, token)).toBe(status);
      }
    }
    async function expectEnded(tokens: readonly string[], status = 401): Promise<void> {
      await waitFor(async () => {
        const all = await Promise.all(
          replicas.flatMap(({ url }) => tokens.map((token) => statusOf(url, token))),
        );
        return all.every((found) => found === status);
      }, DEAD_WITHIN_MS);
    }
    async function derived(from: string, projectId?: string): Promise<string> {
      const token = await derive(url, from, projectId);
      if (token === undefined) throw new Error('No token was derived.');
      return token;
    }
    const newUser = () =>
      insertUser(identity.db, { accountDomainId: identity.world.accountDomainId });
    async function newMember(): Promise<{ user: TestUser; tenantId: string }> {
      const { accountDomainId, roleIds } = identity.world;
      const user = await newUser();
      const { id: tenantId } = await insertTenant(identity.db, { accountDomainId });
      await assignRole(identity.db, { userId: user.id, roleId: roleIds.member, tenantId });
      return { user, tenantId };
    }
    async function newKey() {
      const { accountDomainId } = identity.world;
      const user = await newUser();
      const key = await insertAccessKey(identity.db, keyring, { userId: user.id, accountDomainId });
      return { user, key };
    }
    const execute = (statement: string, ...values: string[]) => identity.db.raw(statement, values);

    it('its revocation, and not that of another token of the same user', async () => {
      const { user } = identity.world;
      const [token, other] = [await tokenOf(url, user), await tokenOf(url, user)];
      await expectAll([token, other], 200);
      expect(await revoke(url, token)).toBe(204);
      await expectEnded([token]);
      await expectAll([other], 200);
    });

    it('the revocation of the token that it was derived from, at whatever depth', async () => {
      const { user, tenant } = identity.world;
      const root = await tokenOf(url, user);
      const child = await derived(root, tenant.id);
      const sibling = await derived(root);
      const grandchild = await derived(child);
      const last = await derived(grandchild, tenant.id);
      await expectAll([root, child, sibling, grandchild, last], 200);
      expect(await revoke(url, child)).toBe(204);
      await expectEnded([child, grandchild, last]);
      await expectAll([root, sibling], 200);
      expect(await derive(url, grandchild)).toBeUndefined();
      expect(await revoke(url, root)).toBe(204);
      await expectEnded([root, sibling]);
    });

    it('the revocation of one of very many tokens that were each derived from the one before', async () => {
      const chain = [await tokenOf(url, identity.world.user)];
      for (let step = 0; step < 20; step += 1) chain.push(await derived(chain.at(-1) ?? ''));
      const [first, ...rest] = chain.toSpliced(15, 1);
      expect(Math.max(...rest.map(({ length }) => length))).toBeLessThan(300);
      await expectAll(chain, 200);
      expect(await revoke(url, chain[15] ?? '')).toBe(204);
      await expectEnded(chain.slice(15));
      await expectAll([first ?? '', ...chain.slice(1, 5)], 200);
      expect(await revoke(url, first ?? '')).toBe(204);
      await expectEnded(chain);
    });

    it('a new password of its user, which ends what was derived from it and what keys got, too', async () => {
      const { user, key } = await newKey();
      const tokens = [await tokenOf(url, user), await tokenByKey(url, key)];
      for (const token of [...tokens]) tokens.push(await derived(token));
      await expectAll(tokens, 200);
      await setPassword(identity.db, user.id, 'another');
      await expectEnded(tokens);
      await expectAll([await tokenOf(url, { ...user, password: 'another' })], 200);
    });

    it.each([
      ['a new hash alone, as SQL by hand sets it', 'password_hash = password_hash || $$x$$'],
      [
        'a time before which tokens are invalid, as `user revoke-all` sets it',
        'tokens_valid_after = now()',
      ],
    ])('%s', async (_what, change) => {
      const user = await newUser();
      const token = await tokenOf(url, user);
      await expectAll([token], 200);
      await execute(`update identity.users set ${change} where id = ?`, user.id);
      await expectEnded([token]);
    });

    it.each([
      ['deactivation by its owner', 'setStatus'],
      ['deletion by its owner', 'delete'],
      [
        'revocation by the operator',
        `set status = 'revoked', secret_sealed = null, secret_key_id = null`,
      ],
      ['deactivation by SQL', `set status = 'inactive'`],
      ['removal by SQL', undefined],
    ])('the %s of the access key that it came from', async (_what, change) => {
      const { user, key } = await newKey();
      const byPassword = await tokenOf(url, user);
      const tokens = [await tokenByKey(url, key), await tokenByKey(url, key)];
      tokens.push(await derived(tokens[0] ?? ''));
      await expectAll([byPassword, ...tokens], 200);
      const client = new AccessKeysClient(url, byPassword);
      const { accessKey: id } = key;
      if (change === 'setStatus') await client.setStatus(id, 'inactive');
      else if (change === 'delete') await client.send('DELETE', `/${id}`);
      else if (change === undefined)
        await execute('delete from identity.access_keys where id = ?', id);
      else await execute(`update identity.access_keys ${change} where id = ?`, id);
      await expectEnded(tokens);
      await expectAll([byPassword], 200);
    });

    it('a key that is activated again gets new tokens, and brings no old one back', async () => {
      const { user, key } = await newKey();
      const client = new AccessKeysClient(url, await tokenOf(url, user));
      const before = await tokenByKey(url, key);
      await client.setStatus(key.accessKey, 'inactive');
      await expectEnded([before]);
      await client.setStatus(key.accessKey, 'active');
      const after = await tokenByKey(url, key);
      await expectAll([after], 200);
      await expectAll([before], 401);
    });

    it('the end of its access key’s validity does not end it', async () => {
      const { key } = await newKey();
      const token = await tokenByKey(url, key);
      await execute(
        `update identity.access_keys set valid_from = now() - interval '2 days', valid_to = now() - interval '1 day'
          where id = ?`,
        key.accessKey,
      );
      await expectAll([token], 200);
    });

    it('that its user, the account domain or the tenant is disabled, or the role lost', async () => {
      const { user, tenantId } = await newMember();
      const { accountDomainId } = identity.world;
      const token = await tokenOf(url, user, tenantId);
      const set = (table: string, change: string, id: string) =>
        execute(`update identity.${table} set ${change} where id = ?`, id);
      await expectAll([token], 200);
      await set('users', `status = 'disabled'`, user.id);
      await expectEnded([token], 403);
      await set('users', `status = 'enabled'`, user.id);
      await expectEnded([token], 200);
      await set('account_domains', `status = 'suspended'`, accountDomainId);
      await expectEnded([token], 403);
      await set('account_domains', `status = 'enabled'`, accountDomainId);
      await expectEnded([token], 200);
      await set('tenants', 'enabled = false', tenantId);
      await expectEnded([token]);
      await set('tenants', 'enabled = true', tenantId);
      await expectEnded([token], 200);
      await execute('delete from identity.role_assignments where user_id = ?', user.id);
      await expectEnded([token]);
    });
  }
});
