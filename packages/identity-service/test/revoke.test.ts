import { describe, expect, it } from '@jest/globals';
import { assignRole, FakeClock, insertAccountDomain, insertUser } from '@zonewright/testkit';
import { call, faultOf, FORMATS, type Format, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

const clock = new FakeClock();
const identity = useIdentity({ clock });
const EXTENSION = '/v2.0/EXT-IDM/v1.0/tokens';

async function revoke(tokenId: string, token: string, accept: Format = 'json') {
  return await call(identity.url, {
    method: 'DELETE',
    path: `${EXTENSION}/${tokenId}`,
    token,
    accept,
  });
}

describe('Revoke Token', () => {
  it('D-ID: returns 200 with an empty body; the token is then unknown everywhere', async () => {
    const { user, serviceUser } = identity.world;
    const token = await tokenOf(identity.url, user);
    const asking = await tokenOf(identity.url, serviceUser);
    const answer = await revoke(token, asking);
    expect(answer.status).toBe(403);
    const done = await revoke(token, token);
    expect(done.status).toBe(200);
    expect(done.text).toBe('');
    const validation = await call(identity.url, { path: `/v2.0/tokens/${token}`, token: asking });
    expect(validation.status).toBe(404);
    expect((await call(identity.url, { path: '/v2.0/tenants', token })).status).toBe(401);
  });

  it.each(['/v2.0/EXT-IDM/v1.0/tokens', '/v2.0/HP-IDM/v1.0/tokens'])(
    'D-ID-1: the extension answers at %s',
    async (path) => {
      const token = await tokenOf(identity.url, identity.world.user);
      const answer = await call(identity.url, {
        method: 'DELETE',
        path: `${path}/${token}`,
        token,
      });
      expect(answer.status).toBe(200);
    },
  );

  it('D-ID: the old core path returns 204', async () => {
    const token = await tokenOf(identity.url, identity.world.user);
    const path = `/v2.0/tokens/${token}`;
    expect((await call(identity.url, { method: 'DELETE', path, token })).status).toBe(204);
    const other = await tokenOf(identity.url, identity.world.user);
    expect((await call(identity.url, { path, token: other })).status).not.toBe(200);
  });

  it.each(FORMATS)(
    'Identity s4: absent, revoked and expired tokens get 404 (%s)',
    async (format) => {
      const { user } = identity.world;
      const revoked = await tokenOf(identity.url, user);
      await revoke(revoked, revoked);
      const expired = await tokenOf(identity.url, user);
      clock.advance(12 * 60 * 60 * 1000 + 1);
      const token = await tokenOf(identity.url, user);
      for (const id of ['unknown', revoked, expired]) {
        const answer = await revoke(id, token, format);
        expect(answer.status).toBe(404);
        expect(await faultOf(answer)).toEqual({
          root: 'itemNotFound',
          code: 404,
          message: 'Not found',
          details: 'token not found',
        });
      }
    },
  );

  it.each(FORMATS)("D-ID: another user's token gets 403 (%s)", async (format) => {
    const { user, accountDomainId } = identity.world;
    const other = await insertUser(identity.db, { accountDomainId });
    const answer = await revoke(
      await tokenOf(identity.url, user),
      await tokenOf(identity.url, other),
      format,
    );
    expect(answer.status).toBe(403);
    expect(await faultOf(answer)).toEqual({
      root: 'forbidden',
      code: 403,
      message: 'Full authentication is required to access this resource',
      details: undefined,
    });
  });

  it('D-ID-22: an administrator can revoke tokens only in the same account domain', async () => {
    const { user, administrator, roleIds } = identity.world;
    const elsewhere = await insertAccountDomain(identity.db);
    const stranger = await insertUser(identity.db, { accountDomainId: elsewhere });
    await assignRole(identity.db, { userId: stranger.id, roleId: roleIds.admin });
    const token = await tokenOf(identity.url, user);
    expect((await revoke(token, await tokenOf(identity.url, stranger))).status).toBe(403);
    expect((await revoke(token, await tokenOf(identity.url, administrator))).status).toBe(200);
  });

  it('D-ID: a tenant administrator is not an administrator of the domain', async () => {
    const { user, tenant, roleIds, accountDomainId } = identity.world;
    const local = await insertUser(identity.db, { accountDomainId });
    await assignRole(identity.db, {
      userId: local.id,
      roleId: roleIds.admin,
      tenantId: tenant.id,
    });
    const answer = await revoke(
      await tokenOf(identity.url, user),
      await tokenOf(identity.url, local, tenant.id),
    );
    expect(answer.status).toBe(403);
  });
});
