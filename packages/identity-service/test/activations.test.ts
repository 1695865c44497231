import { beforeAll, describe, expect, it } from '@jest/globals';
import { changeService, createTenant } from '@zonewright/accounts';
import { assignRole, insertAccountDomain, insertUser, newId } from '@zonewright/testkit';
import { insertOperator } from './administration-calls.js';
import { type Answer, type Call, call, expectSoon, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

/** DNS for a project over HTTP, by the paths that Keystone has for endpoint filters (D-ACC-61). */
const identity = useIdentity();
let operator = '';
let administrator = '';
let dns = '';
let objectStore = '';
let identityEndpoint = '';

beforeAll(async () => {
  const { db, url, world } = identity;
  operator = await tokenOf(url, await insertOperator(identity));
  administrator = await tokenOf(url, world.administrator);
  const endpointOf = async (service: string) => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      'select id from identity.endpoints where service_id = ? and enabled',
      [service],
    );
    return rows[0]?.id ?? '';
  };
  const { dns: dnsId, objectStore: storeId, identity: identityId } = world.serviceIds;
  [dns, objectStore, identityEndpoint] = (await Promise.all(
    [dnsId, storeId, identityId].map(endpointOf),
  )) as [string, string, string];
});

async function ask(token: string, request: Omit<Call, 'token'>): Promise<Answer> {
  return await call(identity.url, { ...request, token });
}

const pathOf = (tenantId: string, endpointId = dns) =>
  `/v3/OS-EP-FILTER/projects/${tenantId}/endpoints/${endpointId}`;

async function newProject(token = administrator): Promise<string> {
  const body = { project: { name: `project-${newId()}` } };
  const { json } = await ask(token, { method: 'POST', path: '/v3/projects', body });
  return (json as { project: { id: string } }).project.id;
}

/** Returns a function that returns the types in the catalog of a new token of a member of the project. */
async function memberOf(tenantId: string): Promise<() => Promise<string>> {
  const { db, url, world } = identity;
  const user = await insertUser(db, { accountDomainId: world.accountDomainId });
  const path = `/v3/projects/${tenantId}/users/${user.id}/roles/${world.roleIds.member}`;
  expect((await ask(administrator, { method: 'PUT', path })).status).toBe(204);
  return async () => {
    const token = await tokenOf(url, user, tenantId);
    const { json } = await ask(token, { path: '/v3/auth/catalog' });
    return (json as { catalog: { type: string }[] }).catalog
      .map(({ type }) => type)
      .toSorted()
      .join(' ');
  };
}

describe('D-ACC-61: DNS for a project', () => {
  it('is activated and ended by the administrator of its account domain; tokens follow at once', async () => {
    const project = await newProject();
    const typesOf = await memberOf(project);
    expect((await ask(administrator, { method: 'HEAD', path: pathOf(project) })).status).toBe(404);
    for (const status of [204, 204]) {
      const answer = await ask(administrator, { method: 'PUT', path: pathOf(project) });
      expect(answer.status).toBe(status);
    }
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await ask(administrator, { method, path: pathOf(project) })).status).toBe(204);
    }
    await expectSoon(async () => (await typesOf()) === 'ext:dns hpext:dns identity');
    for (const status of [204, 404]) {
      const answer = await ask(administrator, { method: 'DELETE', path: pathOf(project) });
      expect(answer.status).toBe(status);
    }
    await expectSoon(async () => (await typesOf()) === 'identity');
  });

  it('is listed by project and by endpoint, each in the account domain of the administrator', async () => {
    const project = await newProject();
    await ask(administrator, { method: 'PUT', path: pathOf(project) });
    const endpoints = await ask(administrator, {
      path: `/v3/OS-EP-FILTER/projects/${project}/endpoints`,
    });
    expect(endpoints.json).toMatchObject({ endpoints: [{ id: dns, interface: 'public' }] });
    const path = `/v3/OS-EP-FILTER/endpoints/${dns}/projects`;
    const idsFor = async (token: string) => {
      const { json } = await ask(token, { path });
      return (json as { projects: { id: string }[] }).projects.map(({ id }) => id);
    };
    expect(await idsFor(operator)).toContain(project);
    expect(await idsFor(administrator)).toContain(project);
    const accountDomainId = await insertAccountDomain(identity.db);
    const stranger = await insertUser(identity.db, { accountDomainId });
    await assignRole(identity.db, {
      userId: stranger.id,
      roleId: identity.world.roleIds.admin,
    });
    expect(await idsFor(await tokenOf(identity.url, stranger))).toEqual([]);
    const named = await ask(operator, { path: `${path}?name__icontains=NO-SUCH` });
    expect(named.json).toMatchObject({ projects: [] });
    const { json } = await ask(administrator, { path: `${path}?limit=1` });
    expect(json).toMatchObject({ projects: [{}], truncated: true });
  });

  it('each URL of an endpoint names it, as in lists', async () => {
    const project = await newProject();
    const path = pathOf(project, `${dns}.internal`);
    expect((await ask(administrator, { method: 'PUT', path })).status).toBe(204);
    expect((await ask(administrator, { path: pathOf(project) })).status).toBe(204);
  });

  it('other services are activated by the operator alone', async () => {
    const project = await newProject();
    const statuses = async (token: string, endpoint: string) =>
      (await ask(token, { method: 'PUT', path: pathOf(project, endpoint) })).status;
    // The administrator does not see a service that projects have only by contract.
    expect(await statuses(administrator, objectStore)).toBe(404);
    expect(await statuses(administrator, identityEndpoint)).toBe(403);
    expect(await statuses(operator, objectStore)).toBe(204);
    const path = '/v3/endpoints';
    const seen = (await ask(administrator, { path })).json as { endpoints: { id: string }[] };
    expect(seen.endpoints.map(({ id }) => id).toSorted()).toEqual(
      [dns, identityEndpoint].toSorted(),
    );
  });

  it('a service for new tenants is active in each project that is created, over HTTP or by the command', async () => {
    const { db, world } = identity;
    await changeService(db, world.serviceIds.dns, { isForNewTenants: true });
    const project = await newProject();
    const accountDomain = world.accountDomainId;
    const other = await createTenant(db, { name: `tenant-${newId()}`, accountDomain });
    await changeService(db, world.serviceIds.dns, { isForNewTenants: false });
    const without = await newProject();
    const statuses = [project, other.id, without].map(
      async (id) => (await ask(operator, { path: pathOf(id) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([204, 204, 404]);
    // The credentials that tempest creates: a new project, and a user with the role member.
    const typesOf = await memberOf(project);
    expect(await typesOf()).toContain('ext:dns');
  });
});
