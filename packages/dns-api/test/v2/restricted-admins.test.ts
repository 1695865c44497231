import { beforeAll, describe, expect, it } from '@jest/globals';
import { activateService, assignRole, insertRole } from '@zonewright/testkit';
import request from 'supertest';
import { OPERATIONS } from '../../src/operations.js';
import { usePlatform } from '../support/use-platform.js';

/** Tests that a restricted access key does not have its user's role as a cloud administrator. */
const platform = usePlatform();
const ID = 'a86dba58-0043-4cc6-a1bb-69d5e86f3ca3';
const RULE = { zone: '*', name: '**', types: ['*'], actions: ['read', 'update'] };
const KEYS = ['with rules', 'without rules'] as const;

let admin = '';
let otherZoneId = '';
const tokens = new Map<string, string>();
const tokenOf = (which: string) => tokens.get(which) ?? '';

async function restrictedToken(restrictions: object): Promise<string> {
  const created = await request(platform.identityUrl)
    .post('/v2.0/EXT-IDM/v1.0/accesskeys')
    .set('X-Auth-Token', admin)
    .send({ accessKey: { otherAttributes: { restrictions } } })
    .expect(201);
  const { accessKeyId: accessKey, secretKey } = (
    created.body as { accessKey: { accessKeyId: string; secretKey: string } }
  ).accessKey;
  const response = await request(platform.identityUrl)
    .post('/v2.0/tokens')
    .send({ auth: { apiAccessKeyCredentials: { accessKey, secretKey } } })
    .expect(200);
  return (response.body as { access: { token: { id: string } } }).access.token.id;
}

function call(token: string, method: string, path: string) {
  const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const sent = request(platform.dnsUrl)[verb](path).set('X-Auth-Token', token);
  return ['get', 'delete'].includes(verb) ? sent : sent.send({});
}

const createZone = (token: string, name: string) =>
  call(token, 'post', '/v2/zones').send({ name, email: 'a@example.com' });

beforeAll(async () => {
  const { world, db } = platform;
  const { user, tenant, secondTenant, serviceIds } = world;
  await activateService(db, { tenantId: secondTenant.id, serviceId: serviceIds.dns });
  for (const name of ['dns-cloud-admin', 'dns-operator']) {
    const roleId = await insertRole(db, { name });
    await assignRole(db, { userId: user.id, roleId, tenantId: tenant.id });
  }
  admin = await platform.login(user, tenant.id);
  tokens.set('with rules', await restrictedToken({ rules: [RULE] }));
  tokens.set('without rules', await restrictedToken({}));
  const elsewhere = await platform.login(user, secondTenant.id);
  const made = await createZone(elsewhere, 'elsewhere.example.').expect(202);
  otherZoneId = (made.body as { id: string }).id;
});

/** The operations that such a key may call at all. */
const open = OPERATIONS.filter(
  ({ path, access, restricted }) =>
    path.startsWith('/v2/') && access === 'tenant' && restricted === 'by-rules',
);
const forTenants = OPERATIONS.filter(
  ({ path, access }) => path.startsWith('/v2/') && access === 'tenant',
);
const others = OPERATIONS.filter(({ access }) => access === 'operator' || access === 'cloud-admin');

const pathOf = (path: string) => path.replace('{zone_id}', otherZoneId).replaceAll(/\{\w+\}/g, ID);

describe.each(KEYS)('A restricted key of a cloud administrator, %s', (which) => {
  const reachable = which === 'with rules' ? open : forTenants;

  it.each(reachable.map(({ method, path }) => [method, path]))(
    '%s %s: acts for no other project, whatever headers it sends',
    async (method, path) => {
      const headers = [
        ['X-Auth-All-Projects', 'true'],
        ['X-Auth-Sudo-Project-ID', platform.world.secondTenant.id],
      ] as const;
      for (const [header, value] of headers) {
        const response = await call(tokenOf(which), method, pathOf(path)).set(header, value);
        expect([header, response.status, response.body]).toMatchObject([
          header,
          403,
          { type: 'forbidden' },
        ]);
      }
    },
  );

  it.each(others.map(({ method, path }) => [method, path]))(
    '%s %s is not allowed',
    async (method, path) => {
      expect((await call(tokenOf(which), method, pathOf(path))).status).toBe(403);
    },
  );

  it("cannot see another project's quotas, nor change objects of the service", async () => {
    const { secondTenant } = platform.world;
    const quotas = await call(tokenOf(which), 'get', `/v2/quotas/${secondTenant.id}`);
    expect(quotas.status).toBe(403);
    const zones = await call(admin, 'get', '/v2/zones').expect(200);
    const id = (zones.body as { zones: { id: string }[] }).zones[0]?.id ?? '';
    const listed = await call(admin, 'get', `/v2/zones/${id}/recordsets?type=SOA`).expect(200);
    const soa = (listed.body as { recordsets: { id: string }[] }).recordsets[0]?.id ?? '';
    const response = await call(tokenOf(which), 'put', `/v2/zones/${id}/recordsets/${soa}`)
      .set('X-Designate-Edit-Managed-Records', 'true')
      .send({ ttl: 60 });
    expect(response.status).toBe(403);
  });

  beforeAll(async () => {
    await createZone(admin, `${which.replace(' ', '-')}.example.`).expect(202);
  });
});

describe('An unrestricted token of a cloud administrator', () => {
  it('acts for other projects: only the key is refused', async () => {
    const response = await call(admin, 'get', `/v2/zones/${otherZoneId}`).set(
      'X-Auth-All-Projects',
      'true',
    );
    expect(response.status).toBe(200);
  });

  it('may create zones with names that are forbidden to others, but its restricted key may not', async () => {
    await call(admin, 'post', '/v2/blacklists')
      .send({ pattern: String.raw`^kept\.` })
      .expect(201);
    const refused = await createZone(tokenOf('without rules'), 'kept.example.');
    expect(refused.status).toBe(400);
    await createZone(admin, 'kept.example.').expect(202);
  });
});
