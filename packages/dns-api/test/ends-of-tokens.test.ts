import { expect, it } from '@jest/globals';
import {
  assignRole,
  createRedisNamespace,
  describeWithRedis,
  insertAccessKey,
  insertTenant,
  insertUser,
  activateService,
  waitFor,
} from '@zonewright/testkit';
import request from 'supertest';
import { keyring, usePlatform } from './support/use-platform.js';

/** The time after which a revoked token must be invalid everywhere (ADR 0019). */
const DEAD_WITHIN_MS = 100;

describeWithRedis(
  'What ends a token ends it in dns-api, which had remembered it (ADR 0019)',
  () => {
    const redis = createRedisNamespace();
    const platform = usePlatform({
      env: () => ({ REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix }),
    });

    const statusOf = async (token: string) =>
      (await request(platform.dnsUrl).get('/v1/limits').set('X-Auth-Token', token)).status;
    async function expectRemembered(...tokens: string[]): Promise<void> {
      for (const token of [...tokens, ...tokens]) expect(await statusOf(token)).toBe(200);
    }
    async function expectEnded(tokens: readonly string[], status = 401): Promise<void> {
      await waitFor(async () => {
        const statuses = await Promise.all(tokens.map(statusOf));
        return statuses.every((found) => found === status);
      }, DEAD_WITHIN_MS);
    }
    const execute = (statement: string, ...values: string[]) => platform.db.raw(statement, values);

    async function newMember() {
      const { accountDomainId, roleIds, serviceIds } = platform.world;
      const user = await insertUser(platform.db, { accountDomainId });
      const { id: tenantId } = await insertTenant(platform.db, { accountDomainId });
      await assignRole(platform.db, { userId: user.id, roleId: roleIds.member, tenantId });
      await activateService(platform.db, { tenantId, serviceId: serviceIds.dns });
      const key = await insertAccessKey(platform.db, keyring, { userId: user.id, accountDomainId });
      return { user, tenantId, key };
    }
    async function logIn(identity: object, tenantId: string): Promise<string> {
      const { headers } = await request(platform.identityUrl)
        .post('/v3/auth/tokens')
        .send({ auth: { identity, scope: { project: { id: tenantId } } } });
      return (headers as Record<string, string>)['x-subject-token'] ?? '';
    }
    const derive = (id: string, tenantId: string) =>
      logIn({ methods: ['token'], token: { id } }, tenantId);
    const logInByKey = (accessKey: { accessKey: string; secretKey: string }, tenantId: string) =>
      logIn({ methods: ['accessKey'], accessKey }, tenantId);

    it('the revocation of the token that it was derived from', async () => {
      const { user, tenantId } = await newMember();
      const root = await platform.login(user, tenantId);
      const child = await derive(root, tenantId);
      const grandchild = await derive(child, tenantId);
      await expectRemembered(root, child, grandchild);
      await platform.revoke(child);
      await expectEnded([child, grandchild]);
      expect(await statusOf(root)).toBe(200);
      await platform.revoke(root);
      await expectEnded([root]);
    });

    it('the deactivation of the access key that it came from, by whomever', async () => {
      const { tenantId, key } = await newMember();
      const token = await logInByKey(key, tenantId);
      const derived = await derive(token, tenantId);
      await expectRemembered(token, derived);
      await execute(
        `update identity.access_keys set status = 'inactive' where id = ?`,
        key.accessKey,
      );
      await expectEnded([token, derived]);
    });

    it('a new password of its user', async () => {
      const { user, tenantId, key } = await newMember();
      const tokens = [await platform.login(user, tenantId), await logInByKey(key, tenantId)];
      tokens.push(await derive(tokens[0] ?? '', tenantId));
      await expectRemembered(...tokens);
      await execute('update identity.users set tokens_valid_after = now() where id = ?', user.id);
      await expectEnded(tokens);
    });

    it.each([
      [
        'its user is disabled',
        `update identity.users set status = 'disabled' where id = :user`,
        403,
      ],
      [
        'its tenant is disabled',
        'update identity.tenants set enabled = false where id = :tenant',
        401,
      ],
      ['the role is lost', 'delete from identity.role_assignments where user_id = :user', 401],
      ['DNS is deactivated', 'delete from identity.tenant_services where tenant_id = :tenant', 401],
    ])('%s', async (_what, statement, status) => {
      const { user, tenantId } = await newMember();
      const token = await platform.login(user, tenantId);
      await expectRemembered(token);
      await platform.db.raw(statement, { user: user.id, tenant: tenantId });
      await expectEnded([token], status);
    });
  },
);
