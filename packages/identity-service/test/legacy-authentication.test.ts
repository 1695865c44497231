import { describe, expect, it } from '@jest/globals';
import { insertUser } from '@zonewright/testkit';
import { type AccessJson, at, call, faultOf, FORMATS, parseXml } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();
const PATHS = ['/v1.0', '/v1.1', '/auth/v1.0', '/auth/v1.1'];

function headersFor(user: string, key = identity.world.user.password): Record<string, string> {
  return { 'X-Auth-User': user, 'X-Auth-Key': key };
}

describe('Legacy Authentication', () => {
  it.each(PATHS)('Identity s4: GET %s answers with headers and the access body', async (path) => {
    const { user, tenant } = identity.world;
    const headers = headersFor(`${tenant.id}:${user.name}`);
    const answer = await call(identity.url, { path, headers });
    expect(answer.status).toBe(200);
    const { access } = answer.json as AccessJson;
    expect(access.token.tenant?.id).toBe(tenant.id);
    expect(access.user.roles.map(({ name }) => name)).toEqual(['member']);
    expect(access).not.toHaveProperty('serviceCatalog');
    expect(answer.headers).toMatchObject({
      'x-auth-token': access.token.id,
      'x-storage-token': access.token.id,
      'x-storage-url': `https://objects.example.net/v1/${tenant.id}`,
      'cache-control': 'no-store',
    });
  });

  it('Identity s4: does the same in XML', async () => {
    const { user, tenant } = identity.world;
    const headers = headersFor(`${tenant.id}:${user.name}`);
    const answer = await call(identity.url, { path: '/auth/v1.0', headers, accept: 'xml' });
    const root = await parseXml(answer.text);
    expect(at(root, 'token')?.attributes['id']).toBe(answer.headers['x-auth-token']);
  });

  it('D-ID: a tenant name works as well, and so does a trailing slash', async () => {
    const { user, tenant } = identity.world;
    const headers = headersFor(`${tenant.name}:${user.name}`);
    const answer = await call(identity.url, { path: '/auth/v1.0/', headers });
    expect((answer.json as AccessJson).access.token.tenant?.id).toBe(tenant.id);
  });

  it('D-ID: a bare user name is unscoped and has no X-Storage-Url', async () => {
    const headers = headersFor(identity.world.user.name);
    const answer = await call(identity.url, { path: '/v1.0', headers });
    expect(answer.status).toBe(200);
    expect((answer.json as AccessJson).access.token.tenant).toBeUndefined();
    expect(answer.headers).not.toHaveProperty('x-storage-url');
  });

  it('D-ID-54: there is no X-Storage-Url if the tenant has no object-store', async () => {
    const { user, secondTenant } = identity.world;
    const headers = headersFor(`${secondTenant.id}:${user.name}`);
    const answer = await call(identity.url, { path: '/v1.0', headers });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('x-storage-url');
  });

  it.each(FORMATS)(
    'Identity s4: wrong, disabled and suspended users get 401 (%s)',
    async (accept) => {
      const { user, tenant, accountDomainId } = identity.world;
      const disabled = await insertUser(identity.db, { accountDomainId, status: 'disabled' });
      const suspended = await insertUser(identity.db, { accountDomainId, status: 'suspended' });
      const cases = [
        headersFor(`${tenant.id}:${user.name}`, 'wrong'),
        headersFor(`unknown:${user.name}`),
        headersFor('nobody'),
        headersFor(disabled.name, disabled.password),
        headersFor(suspended.name, suspended.password),
      ];
      for (const headers of cases) {
        const answer = await call(identity.url, { path: '/v1.0', headers, accept });
        expect(answer.status).toBe(401);
        expect(await faultOf(answer)).toMatchObject({ root: 'unauthorized', code: 401 });
        expect(answer.headers).not.toHaveProperty('x-auth-token');
      }
    },
  );

  it.each(FORMATS)('Identity s4: a missing header gets 400 (%s)', async (accept) => {
    const cases = [{}, { 'X-Auth-User': 'a' }, { 'X-Auth-Key': 'b' }];
    for (const headers of cases) {
      const answer = await call(identity.url, { path: '/v1.1', headers, accept });
      expect(answer.status).toBe(400);
      expect((await faultOf(answer)).details).toMatch(/X-Auth-(User|Key) is required/);
    }
  });

  it('passwords and names in UTF-8 work in headers', async () => {
    const { accountDomainId } = identity.world;
    const user = await insertUser(identity.db, {
      accountDomainId,
      name: 'Jürgen',
      password: 'schön',
    });
    const latin1 = (text: string) => Buffer.from(text).toString('latin1');
    const headers = headersFor(latin1(user.name), latin1(user.password));
    expect((await call(identity.url, { path: '/v1.0', headers })).status).toBe(200);
  });
});
