import { beforeAll, describe, expect, it } from '@jest/globals';
import { assignRole, insertTenant, insertUser, type TestTenant } from '@zonewright/testkit';
import { call, childrenOf, faultOf, FORMATS, parseXml, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();
let token = '';
let tenants: TestTenant[] = [];

interface TenantsJson {
  readonly tenants: readonly Record<string, unknown>[];
  readonly tenants_links: unknown;
}

beforeAll(async () => {
  const { accountDomainId, roleIds } = identity.world;
  const { db } = identity;
  const user = await insertUser(db, { accountDomainId });
  for (const id of ['t-3', 't-1', 't-2']) {
    const values = { accountDomainId, id, description: `about <${id}>`, displayName: `No. ${id}` };
    tenants.push(await insertTenant(db, { ...values, enabled: id !== 't-2' }));
    await assignRole(db, { userId: user.id, roleId: roleIds.member, tenantId: id });
  }
  // A second role on the same tenant must not list it twice.
  await assignRole(db, { userId: user.id, roleId: roleIds.service, tenantId: 't-1' });
  tenants = tenants.sort((one, other) => one.id.localeCompare(other.id));
  token = await tokenOf(identity.url, user);
});

async function listIds(query = ''): Promise<unknown[]> {
  const answer = await call(identity.url, { path: `/v2.0/tenants${query}`, token });
  expect(answer.status).toBe(200);
  return (answer.json as TenantsJson).tenants.map((tenant) => tenant['id']);
}

describe('List Tenants', () => {
  it('Identity s2: returns every tenant with a role, by id, in JSON', async () => {
    const answer = await call(identity.url, { path: '/v2.0/tenants', token });
    const body = answer.json as TenantsJson;
    expect(body.tenants_links).toEqual([]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(body.tenants).toEqual(
      tenants.map(({ id, name }) => ({
        id,
        name,
        description: `about <${id}>`,
        enabled: id !== 't-2',
        created: time,
        updated: time,
      })),
    );
  });

  it('D-ID: display-name is the name if the tenant has none', async () => {
    const { user, tenant } = identity.world;
    const answer = await call(identity.url, {
      path: `/v2.0/tenants?name=${tenant.name}`,
      token: await tokenOf(identity.url, user),
      accept: 'xml',
    });
    const [shown] = childrenOf(await parseXml(answer.text), 'tenant');
    expect(shown?.attributes).toMatchObject({ name: tenant.name, 'display-name': tenant.name });
  });

  it('Identity s2: returns XML with display-name and a child element description', async () => {
    const answer = await call(identity.url, { path: '/v2.0/tenants', token, accept: 'xml' });
    const root = await parseXml(answer.text);
    expect(root).toMatchObject({
      name: 'tenants',
      namespace: 'http://docs.openstack.org/identity/api/v2.0',
    });
    expect(
      childrenOf(root, 'tenant').map(({ attributes, children }) => ({ attributes, children })),
    ).toEqual(
      tenants.map(({ id, name }) => ({
        attributes: { id, name, enabled: String(id !== 't-2'), 'display-name': `No. ${id}` },
        children: [expect.objectContaining({ name: 'description', text: `about <${id}>` })],
      })),
    );
  });

  it('Identity s4: limit and marker select pages', async () => {
    expect(await listIds('?limit=2')).toEqual(['t-1', 't-2']);
    expect(await listIds('?limit=2&marker=t-2')).toEqual(['t-3']);
    expect(await listIds('?marker=t-3')).toEqual([]);
  });

  it('D-ID: a page that is not the last links to the next, in JSON and XML', async () => {
    const seen: unknown[] = [];
    let path: string | undefined = '/v2.0/tenants?limit=1';
    while (path !== undefined) {
      const json = (await call(identity.url, { path, token })).json as TenantsJson;
      const xml = await parseXml((await call(identity.url, { path, token, accept: 'xml' })).text);
      const links = json.tenants_links as { rel: string; href: string }[];
      expect(childrenOf(xml, 'link').map(({ attributes }) => attributes)).toEqual(links);
      seen.push(...json.tenants.map(({ id }) => id));
      expect(links.map(({ rel }) => rel)).toEqual(seen.length < 3 ? ['next'] : []);
      path = links[0]?.href.slice(identity.url.length);
    }
    expect(seen).toEqual(['t-1', 't-2', 't-3']);
  });

  it('Identity s4: the default limit is 100', async () => {
    const { accountDomainId, roleIds } = identity.world;
    const user = await insertUser(identity.db, { accountDomainId });
    await identity.db.raw(
      `insert into identity.tenants (id, account_domain_id, name)
       select 'many-' || n, ?, 'many-' || n from generate_series(100, 200) as n`,
      [accountDomainId],
    );
    await identity.db.raw(
      `insert into identity.role_assignments (user_id, role_id, tenant_id)
       select ?, ?, 'many-' || n from generate_series(100, 200) as n`,
      [user.id, roleIds.member],
    );
    const own = await tokenOf(identity.url, user);
    const all = await call(identity.url, { path: '/v2.0/tenants', token: own });
    expect((all.json as TenantsJson).tenants).toHaveLength(100);
    const more = await call(identity.url, { path: '/v2.0/tenants?limit=1000', token: own });
    expect((more.json as TenantsJson).tenants).toHaveLength(101);
  });

  it('Identity s4: name selects the tenant with that name', async () => {
    expect(await listIds('?name=tenant-t-2')).toEqual(['t-2']);
    expect(await listIds('?name=unknown')).toEqual([]);
    expect(await listIds(`?name=${identity.world.tenant.name}`)).toEqual([]);
  });

  it.each(FORMATS)('D-ID: name excludes limit and marker: 400 (%s)', async (accept) => {
    for (const query of ['?name=a&limit=1', '?name=a&marker=t-1']) {
      const answer = await call(identity.url, { path: `/v2.0/tenants${query}`, token, accept });
      expect(answer.status).toBe(400);
      expect((await faultOf(answer)).details).toMatch(/mutually exclusive/);
    }
  });

  it.each(['limit', 'marker', 'name'])('D-REQ: %s without a value gets 400', async (name) => {
    const answer = await call(identity.url, { path: `/v2.0/tenants?${name}=`, token });
    expect(answer.status).toBe(400);
    expect((await faultOf(answer)).details).toContain(`${name} is empty`);
  });

  it.each(['0', '1001', '-1', 'x', '1.5'])('D-ID: limit=%s gets 400', async (limit) => {
    const answer = await call(identity.url, { path: `/v2.0/tenants?limit=${limit}`, token });
    expect(answer.status).toBe(400);
  });

  it.each(FORMATS)('D-ID: an unknown marker gets 404 (%s)', async (accept) => {
    for (const marker of ['unknown', identity.world.tenant.id]) {
      const path = `/v2.0/tenants?marker=${marker}`;
      const answer = await call(identity.url, { path, token, accept });
      expect(await faultOf(answer)).toEqual({
        root: 'itemNotFound',
        code: 404,
        message: 'Not found',
        details: 'Marker in request not found',
      });
    }
  });

  it('D-REQ-1: repeated and trailing slashes are ignored', async () => {
    for (const path of ['/v2.0//tenants', '//v2.0/tenants/', '/v2.0/tenants/?limit=1']) {
      expect((await call(identity.url, { path, token })).status).toBe(200);
    }
  });
});
