import { describe, expect, it } from '@jest/globals';
import { insertTenant, insertUser } from '@zonewright/testkit';
import {
  type AccessJson,
  type Answer,
  at,
  call,
  expectSoon,
  faultOf,
  FORMATS,
  login,
  parseXml,
  tokenOf,
} from './client.js';
import { startIdentity, useIdentity } from './use-identity.js';

const identity = useIdentity();

async function rescope(auth: object, headers: Record<string, string> = {}): Promise<Answer> {
  return await call(identity.url, {
    method: 'POST',
    path: '/v2.0/tokens',
    headers,
    body: { auth },
  });
}

async function scopeSeenBy(url: string, token: string): Promise<string | undefined> {
  const answer = await call(url, { path: `/v2.0/tokens/${token}`, token });
  return (answer.json as AccessJson).access.token.tenant?.id;
}

describe('Rescope Token', () => {
  it('Identity s4: a token changes from unscoped to scoped, to another tenant and back, with the same id and expiry', async () => {
    const { user, tenant, secondTenant } = identity.world;
    const { token } = await login(identity.url, { user });
    const steps = [
      [{ tenantId: tenant.id }, tenant.id],
      [{ tenantName: secondTenant.name }, secondTenant.id],
      [{}, undefined],
      [{ tenantId: tenant.id }, tenant.id],
      [{ tenantId: '' }, undefined],
    ] as const;
    for (const [scope, tenantId] of steps) {
      const answer = await rescope({ token: { id: token.id }, ...scope });
      expect(answer.status).toBe(200);
      const { access } = answer.json as AccessJson;
      expect(access.token).toMatchObject({ id: token.id, expires: token.expires });
      expect(access.token.tenant?.id).toBe(tenantId);
      expect(await scopeSeenBy(identity.url, token.id)).toBe(tenantId);
    }
  });

  it('Identity s1: catalog and roles follow the new scope', async () => {
    const { user, tenant } = identity.world;
    const { token } = await login(identity.url, { user, tenantId: tenant.id });
    const unscoped = (await rescope({ token: { id: token.id } })).json as AccessJson;
    expect(unscoped.access.user.roles).toEqual([]);
    expect(unscoped.access.serviceCatalog.map(({ type }) => type)).toEqual(['identity']);
    const scoped = (await rescope({ token: { id: token.id }, tenantId: tenant.id }))
      .json as AccessJson;
    expect(scoped.access.user.roles).toHaveLength(1);
    expect(scoped.access.serviceCatalog.map(({ type }) => type)).toContain('object-store');
  });

  it('Identity s2: the XML form contains the token as an element', async () => {
    const { user, tenant } = identity.world;
    const { token } = await login(identity.url, { user });
    const answer = await call(identity.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      accept: 'xml',
      body: `<auth xmlns="http://docs.openstack.org/identity/api/v2.0" tenantId="${tenant.id}"><token id="${token.id}"/></auth>`,
    });
    expect(answer.status).toBe(200);
    const root = await parseXml(answer.text);
    expect(at(root, 'token')?.attributes).toMatchObject({ id: token.id, expires: token.expires });
    expect(at(root, 'token', 'tenant')?.attributes['id']).toBe(tenant.id);
  });

  it('works on every replica at once', async () => {
    const { user, tenant } = identity.world;
    const replica = await startIdentity(identity.databaseUrl);
    try {
      const token = await tokenOf(identity.url, user);
      expect(await scopeSeenBy(replica.url, token)).toBeUndefined();
      await rescope({ token: { id: token }, tenantId: tenant.id });
      expect(await scopeSeenBy(replica.url, token)).toBe(tenant.id);
    } finally {
      await replica.stop();
    }
  });

  it('D-ID-10: X-Auth-Token may be present if it is equal, but not if it differs', async () => {
    const { user } = identity.world;
    const token = await tokenOf(identity.url, user);
    const other = await tokenOf(identity.url, user);
    const auth = { token: { id: token } };
    expect((await rescope(auth, { 'X-Auth-Token': token })).status).toBe(200);
    expect((await rescope(auth, { 'X-Auth-Token': other })).status).toBe(401);
  });

  it.each(FORMATS)('D-ID: unsuitable tokens and tenants get 401 (%s)', async (accept) => {
    const { user, accountDomainId, tenant } = identity.world;
    const token = await tokenOf(identity.url, user, tenant.id);
    const revoked = await tokenOf(identity.url, user);
    await call(identity.url, {
      method: 'DELETE',
      path: `/v2.0/tokens/${revoked}`,
      token: revoked,
    });
    const foreignTenant = await insertTenant(identity.db, { accountDomainId });
    const suspended = await insertUser(identity.db, { accountDomainId });
    const ofSuspended = await tokenOf(identity.url, suspended);
    await identity.db.raw(`update identity.users set status = 'suspended' where id = ?`, [
      suspended.id,
    ]);
    const cases = [
      { token: { id: 'unknown' } },
      { token: { id: `${token.slice(0, -2)}AA` } },
      { token: { id: revoked } },
      { token: { id: token }, tenantId: foreignTenant.id },
      { token: { id: token }, tenantName: 'unknown' },
    ];
    for (const auth of cases) {
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        accept,
        body: { auth },
      });
      expect([auth, answer.status]).toEqual([auth, 401]);
      expect(await faultOf(answer)).toMatchObject({ root: 'unauthorized', code: 401 });
    }
    await expectSoon(async () => (await rescope({ token: { id: ofSuspended } })).status === 401);
  });
});
