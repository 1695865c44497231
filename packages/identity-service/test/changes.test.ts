import { describe, expect, it } from '@jest/globals';
import { hashPassword } from '@zonewright/database';
import { assignRole, insertRole, insertSigningKey, insertUser, waitFor } from '@zonewright/testkit';
import { call, expectSoon, login, tokenOf } from './client.js';
import { keyring, useIdentity } from './use-identity.js';

const identity = useIdentity();

async function statusOfLogin(user: { name: string; password: string }): Promise<number> {
  const passwordCredentials = { username: user.name, password: user.password };
  const body = { auth: { passwordCredentials } };
  return (await call(identity.url, { method: 'POST', path: '/v2.0/tokens', body })).status;
}

async function statusOfToken(token: string): Promise<number> {
  return (await call(identity.url, { path: '/v2.0/tenants', token })).status;
}

describe('A change takes effect within a second', () => {
  it('a changed password takes effect, even if the old one was valid a moment ago', async () => {
    const { accountDomainId } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    expect(await statusOfLogin(user)).toBe(200);
    await identity.db.raw('update identity.users set password_hash = ? where id = ?', [
      await hashPassword('another'),
      user.id,
    ]);
    await expectSoon(async () => (await statusOfLogin(user)) === 401);
    expect(await statusOfLogin({ ...user, password: 'another' })).toBe(200);
  });

  it('Identity s5.6: a disabled user and a suspended account domain take effect', async () => {
    const { accountDomainId } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    const token = await tokenOf(identity.url, user);
    const set = (table: string, status: string, id: string) =>
      identity.db.raw(`update identity.${table} set status = ? where id = ?`, [status, id]);
    await set('users', 'disabled', user.id);
    await expectSoon(async () => (await statusOfToken(token)) === 403);
    expect(await statusOfLogin(user)).toBe(401);
    await set('users', 'enabled', user.id);
    await expectSoon(async () => (await statusOfToken(token)) === 200);
    await set('account_domains', 'suspended', accountDomainId);
    await expectSoon(async () => (await statusOfToken(token)) === 403);
    await set('account_domains', 'enabled', accountDomainId);
    await expectSoon(async () => (await statusOfToken(token)) === 200);
  });

  it('Identity s1: changes of roles and catalog take effect', async () => {
    const { user, tenant } = identity.world;
    const roleId = await insertRole(identity.db);
    const access = () => login(identity.url, { user, tenantId: tenant.id });
    await access();
    await assignRole(identity.db, { userId: user.id, roleId, tenantId: tenant.id });
    await expectSoon(async () => (await access()).user.roles.some(({ id }) => id === roleId));
    await identity.db.raw(`update identity.endpoints set region = 'EU' where region = 'US-West'`);
    await expectSoon(async () =>
      (await access()).serviceCatalog.every(({ endpoints }) => endpoints[0]?.['region'] === 'EU'),
    );
  });
});

describe('Signing keys', () => {
  it('after a rotation without a restart, a new key signs, and the old one verifies until it is retired', async () => {
    const { user } = identity.world;
    const oldToken = await tokenOf(identity.url, user);
    const headerOf = (token: string) => token.split('.')[0];
    await identity.db.transaction(async (transaction) => {
      await transaction.raw('update identity.signing_keys set is_primary = false');
      await insertSigningKey(transaction, keyring, { id: 'second' });
    });
    const newToken = await waitFor(async () => {
      const token = await tokenOf(identity.url, user);
      return headerOf(token) === headerOf(oldToken) ? undefined : token;
    });
    expect([await statusOfToken(oldToken), await statusOfToken(newToken)]).toEqual([200, 200]);
    await identity.db.raw(
      `update identity.signing_keys set retired_at = now() where id <> 'second'`,
    );
    await expectSoon(async () => (await statusOfToken(oldToken)) === 401);
    expect(await statusOfToken(newToken)).toBe(200);
  });
});
