import { describe, expect, it } from '@jest/globals';
import { assignRole, FakeClock, insertUser } from '@zonewright/testkit';
import {
  expectSoon,
  at,
  call,
  childrenOf,
  faultOf,
  FORMATS,
  login,
  parseXml,
  tokenOf,
} from './client.js';
import { useIdentity } from './use-identity.js';

const clock = new FakeClock();
const identity = useIdentity({ clock });

/** Each token is validated directly and, with an empty query, in the usual way (answer-at-once.test.ts). */
const WAYS = [
  ['directly', ''],
  ['through Express', '?'],
] as const;

describe.each(WAYS)('Validate Token, %s', (_, way) => {
  it('D-ID-14: a service gets the access body without a catalog', async () => {
    const { user, tenant, serviceUser } = identity.world;
    const { token, user: described } = await login(identity.url, { user, tenantId: tenant.id });
    const answer = await call(identity.url, {
      path: `/v2.0/tokens/${token.id}${way}`,
      token: await tokenOf(identity.url, serviceUser),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json).toEqual({ access: { token, user: described } });
  });

  it('D-ID: gets the same in XML', async () => {
    const { user, tenant } = identity.world;
    const token = await tokenOf(identity.url, user, tenant.id);
    const answer = await call(identity.url, {
      path: `/v2.0/tokens/${token}${way}`,
      token,
      accept: 'xml',
    });
    const root = await parseXml(answer.text);
    expect(at(root, 'token')?.attributes['id']).toBe(token);
    expect(at(root, 'token', 'tenant')?.attributes['id']).toBe(tenant.id);
    expect(at(root, 'serviceCatalog')).toBeUndefined();
  });

  it('D-ID: HEAD returns 204', async () => {
    const token = await tokenOf(identity.url, identity.world.user);
    const answer = await call(identity.url, {
      method: 'HEAD',
      path: `/v2.0/tokens/${token}${way}`,
      token,
    });
    expect(answer.status).toBe(204);
  });

  it('D-ID: users may validate a token with itself or with another token of their own', async () => {
    const { user } = identity.world;
    const [one, other] = [await tokenOf(identity.url, user), await tokenOf(identity.url, user)];
    for (const token of [one, other]) {
      const answer = await call(identity.url, { path: `/v2.0/tokens/${one}${way}`, token });
      expect(answer.status).toBe(200);
    }
  });

  it.each(['admin', 'service'] as const)(
    'D-ID-16: users with the role %s may validate',
    async (role) => {
      const { user, roleIds, tenant, accountDomainId } = identity.world;
      const asking = await insertUser(identity.db, { accountDomainId });
      const path = `/v2.0/tokens/${await tokenOf(identity.url, user)}${way}`;
      const without = await call(identity.url, {
        path,
        token: await tokenOf(identity.url, asking),
      });
      expect(without.status).toBe(401);
      const roleId = roleIds[role];
      await assignRole(identity.db, { userId: asking.id, roleId, tenantId: tenant.id });
      await expectSoon(async () => {
        const token = await tokenOf(identity.url, asking);
        return (await call(identity.url, { path, token })).status === 200;
      });
    },
  );

  it.each(FORMATS)('D-ID: unknown, forged and expired tokens get 404 (%s)', async (accept) => {
    const { user, serviceUser } = identity.world;
    const expired = await tokenOf(identity.url, user);
    clock.advance(12 * 60 * 60 * 1000);
    const token = await tokenOf(identity.url, serviceUser);
    for (const id of ['unknown', `${token.slice(0, -3)}abc`, expired]) {
      const answer = await call(identity.url, {
        path: `/v2.0/tokens/${id}${way}`,
        token,
        accept,
      });
      expect(answer.status).toBe(404);
      expect(await faultOf(answer)).toMatchObject({ root: 'itemNotFound', code: 404 });
    }
  });

  it('Identity s4: a revoked token gets 404, also for the user who revoked it', async () => {
    const { user } = identity.world;
    const [token, revoked] = [await tokenOf(identity.url, user), await tokenOf(identity.url, user)];
    const path = `/v2.0/EXT-IDM/v1.0/tokens/${revoked}`;
    expect((await call(identity.url, { method: 'DELETE', path, token })).status).toBe(200);
    for (const id of [revoked, 'unknown']) {
      const answer = await call(identity.url, { path: `/v2.0/tokens/${id}${way}`, token });
      expect(answer.status).toBe(404);
    }
  });

  it.each(FORMATS)(
    'D-ID: without a valid X-Auth-Token the response is 401 (%s)',
    async (accept) => {
      const id = await tokenOf(identity.url, identity.world.user);
      for (const token of [undefined, 'unknown', '']) {
        const answer = await call(identity.url, {
          path: `/v2.0/tokens/${id}${way}`,
          token,
          accept,
        });
        expect(answer.status).toBe(401);
        expect(await faultOf(answer)).toMatchObject({ root: 'unauthorized', code: 401 });
      }
    },
  );

  it('D-ID: belongsTo must match the tenant of the token', async () => {
    const { user, tenant, secondTenant } = identity.world;
    const token = await tokenOf(identity.url, user, tenant.id);
    const statusFor = async (id: string, tenantId: string) =>
      (await call(identity.url, { path: `/v2.0/tokens/${id}?belongsTo=${tenantId}`, token }))
        .status;
    expect(await statusFor(token, tenant.id)).toBe(200);
    expect(await statusFor(token, secondTenant.id)).toBe(400);
    expect(await statusFor(await tokenOf(identity.url, user), tenant.id)).toBe(400);
  });

  it.each(['suspended', 'disabled'])(
    'contract: a %s subject gets 403 for a service',
    async (status) => {
      const { accountDomainId, serviceUser } = identity.world;
      const subject = await insertUser(identity.db, { accountDomainId });
      const id = await tokenOf(identity.url, subject);
      const token = await tokenOf(identity.url, serviceUser);
      await identity.db.raw('update identity.users set status = ? where id = ?', [
        status,
        subject.id,
      ]);
      const headers = { 'X-Subject-Token': id };
      const v2 = await call(identity.url, { path: `/v2.0/tokens/${id}${way}`, token });
      const v3 = await call(identity.url, { path: `/v3/auth/tokens${way}`, token, headers });
      expect([v2.status, v3.status]).toEqual([403, 403]);
    },
  );

  it('Identity s1: a password change ends earlier tokens, and no later ones', async () => {
    const { accountDomainId, serviceUser } = identity.world;
    const subject = await insertUser(identity.db, { accountDomainId });
    const token = await tokenOf(identity.url, serviceUser);
    const before = await tokenOf(identity.url, subject);
    const changedAt = new Date(clock.now());
    await identity.db.raw('update identity.users set tokens_valid_after = ? where id = ?', [
      changedAt,
      subject.id,
    ]);
    clock.advance(1);
    const after = await tokenOf(identity.url, subject);
    const statusOf = async (id: string) =>
      (await call(identity.url, { path: `/v2.0/tokens/${id}${way}`, token })).status;
    await expectSoon(async () => (await statusOf(before)) === 404);
    expect(await statusOf(after)).toBe(200);
  });

  it('Identity s1: a token ends when its tenant or the role on it is removed', async () => {
    const { accountDomainId, tenant, roleIds } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    const assignment = { userId: user.id, roleId: roleIds.member, tenantId: tenant.id };
    await assignRole(identity.db, assignment);
    const token = await tokenOf(identity.url, user, tenant.id);
    const path = `/v2.0/tokens/${token}${way}`;
    expect((await call(identity.url, { path, token })).status).toBe(200);
    await identity.db.raw('delete from identity.role_assignments where user_id = ?', [user.id]);
    const asking = await tokenOf(identity.url, identity.world.serviceUser);
    await expectSoon(
      async () => (await call(identity.url, { path, token: asking })).status === 404,
    );
  });
});

describe('List Token Endpoints', () => {
  it('D-ID: returns the endpoints of the catalog as one list', async () => {
    const { user, tenant } = identity.world;
    const { token, serviceCatalog } = await login(identity.url, { user, tenantId: tenant.id });
    const path = `/v2.0/tokens/${token.id}/endpoints`;
    const answer = await call(identity.url, { path, token: token.id });
    expect(answer.status).toBe(200);
    const { endpoints, endpoints_links } = answer.json as {
      endpoints: Record<string, unknown>[];
      endpoints_links: unknown;
    };
    expect(endpoints_links).toEqual([]);
    expect(endpoints).toHaveLength(serviceCatalog.flatMap((service) => service.endpoints).length);
    expect(endpoints).toContainEqual(
      expect.objectContaining({
        name: 'Object Storage',
        type: 'object-store',
        region: 'US-West',
        publicURL: `https://objects.example.net/v1/${tenant.id}`,
      }),
    );
    const xml = await call(identity.url, { path, token: token.id, accept: 'xml' });
    const listed = childrenOf(await parseXml(xml.text), 'endpoint');
    expect(listed.map(({ attributes }) => attributes['id'])).toEqual(
      endpoints.map((endpoint) => endpoint['id']),
    );
  });
});
