import { describe, expect, it } from '@jest/globals';
import {
  activateService,
  assignRole,
  insertRole,
  insertService,
  insertUser,
  type TestUser,
  waitFor,
} from '@zonewright/testkit';
import { login, type ServiceJson } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();

async function catalogOf(user: TestUser, tenantId?: string): Promise<readonly ServiceJson[]> {
  return (await login(identity.url, { user, ...(tenantId && { tenantId }) })).serviceCatalog;
}

async function newMember(): Promise<TestUser> {
  const { accountDomainId, tenant, roleIds } = identity.world;
  const user = await insertUser(identity.db, { accountDomainId });
  await assignRole(identity.db, { userId: user.id, roleId: roleIds.member, tenantId: tenant.id });
  return user;
}

function byType(catalog: readonly ServiceJson[], type: string): ServiceJson | undefined {
  return catalog.find((service) => service.type === type);
}

describe('Service catalog', () => {
  it('Identity s1: unscoped tokens have only global active endpoints, and scoped ones also the tenant-specific ones', async () => {
    const { user, tenant } = identity.world;
    expect((await catalogOf(user)).map(({ type }) => type)).toEqual(['identity']);
    expect((await catalogOf(user, tenant.id)).map(({ type }) => type)).toEqual([
      'ext:dns',
      'hpext:dns',
      'identity',
      'object-store',
    ]);
  });

  it('Identity s1: a service that the tenant has not activated is missing', async () => {
    const { user, secondTenant } = identity.world;
    expect((await catalogOf(user, secondTenant.id)).map(({ type }) => type)).toEqual(['identity']);
  });

  it('Identity s1: a service needs one of its required roles', async () => {
    const { db, world } = identity;
    const roles = [await insertRole(db), await insertRole(db)] as const;
    const serviceId = await insertService(db, {
      types: ['compute'],
      requiredRoleIds: roles,
      endpoints: [{ publicUrl: 'https://compute.example.net/' }],
    });
    await activateService(db, { tenantId: world.tenant.id, serviceId });
    const without = await newMember();
    expect(byType(await catalogOf(without, world.tenant.id), 'compute')).toBeUndefined();
    for (const assignment of [
      { roleId: roles[1], tenantId: world.tenant.id },
      { roleId: roles[0] },
    ]) {
      const user = await newMember();
      await assignRole(db, { userId: user.id, ...assignment });
      expect(byType(await catalogOf(user, world.tenant.id), 'compute')).toBeDefined();
    }
    const elsewhere = await newMember();
    const tenantId = world.secondTenant.id;
    await assignRole(db, { userId: elsewhere.id, roleId: roles[0], tenantId });
    expect(byType(await catalogOf(elsewhere, world.tenant.id), 'compute')).toBeUndefined();
  });

  it('Identity s1: users with other roles in one tenant each see their own services, without any change', async () => {
    const { db, world } = identity;
    const role = await insertRole(db);
    const serviceId = await insertService(db, {
      types: ['volume'],
      requiredRoleIds: [role],
      endpoints: [{ publicUrl: 'https://volume.example.net/' }],
    });
    await activateService(db, { tenantId: world.tenant.id, serviceId });
    const [without, holder] = [await newMember(), await newMember()];
    await assignRole(db, { userId: holder.id, roleId: role, tenantId: world.tenant.id });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(byType(await catalogOf(holder, world.tenant.id), 'volume')).toBeDefined();
      expect(byType(await catalogOf(without, world.tenant.id), 'volume')).toBeUndefined();
      expect(byType(await catalogOf(holder), 'volume')).toBeUndefined();
    }
    await db.raw('delete from identity.tenant_services as t where t.service_id = ?', [serviceId]);
    await waitFor(
      async () => byType(await catalogOf(holder, world.tenant.id), 'volume') === undefined,
    );
  });

  it('Identity s1: disabled services and endpoints are omitted, and so are services without endpoints', async () => {
    const { db, world } = identity;
    for (const values of [
      { types: ['off'], enabled: false, endpoints: [{ publicUrl: 'https://off.example.net/' }] },
      { types: ['empty'] },
      { types: ['dark'], endpoints: [{ publicUrl: 'https://dark.example.net/', enabled: false }] },
    ]) {
      const serviceId = await insertService(db, values);
      await activateService(db, { tenantId: world.tenant.id, serviceId });
    }
    const catalog = await catalogOf(await newMember(), world.tenant.id);
    expect(catalog.map(({ type }) => type)).not.toEqual(expect.arrayContaining(['off']));
    expect(byType(catalog, 'empty') ?? byType(catalog, 'dark')).toBeUndefined();
    expect(byType(catalog, 'object-store')?.endpoints).toHaveLength(1);
  });

  it('Identity s2, D-ID: endpoints have all members, and both names of the version members', async () => {
    const { db, world } = identity;
    const serviceId = await insertService(db, {
      types: ['volume'],
      endpoints: [
        {
          region: 'US-East',
          publicUrl: 'https://v.example.net/v1/%(tenant_id)s',
          internalUrl: 'http://internal/v1/%(tenant_id)s',
          adminUrl: 'http://admin/v1',
          versionId: '1.0',
          versionInfo: 'https://v.example.net/v1/',
          versionList: 'https://v.example.net/',
          releaseState: 'beta',
        },
        { region: 'US-West', publicUrl: 'https://w.example.net/', releaseState: 'preview' },
      ],
    });
    await activateService(db, { tenantId: world.tenant.id, serviceId });
    const service = byType(await catalogOf(await newMember(), world.tenant.id), 'volume');
    const { id: tenantId } = world.tenant;
    expect(service?.endpoints).toEqual([
      {
        tenantId,
        region: 'US-East',
        publicURL: `https://v.example.net/v1/${tenantId}`,
        internalURL: `http://internal/v1/${tenantId}`,
        adminURL: 'http://admin/v1',
        interface: 'beta',
        url: `https://v.example.net/v1/${tenantId}`,
        id: '1.0',
        info: 'https://v.example.net/v1/',
        list: 'https://v.example.net/',
        versionId: '1.0',
        versionInfo: 'https://v.example.net/v1/',
        versionList: 'https://v.example.net/',
      },
      {
        tenantId,
        region: 'US-West',
        publicURL: 'https://w.example.net/',
        internalURL: 'https://w.example.net/',
        adminURL: 'https://w.example.net/',
        interface: 'preview',
        url: 'https://w.example.net/',
      },
    ]);
  });

  it('D-ID-48: an endpoint without an admin URL shows the public one', async () => {
    const entry = byType(await catalogOf(identity.world.user), 'identity');
    expect(entry?.endpoints[0]).toMatchObject({
      adminURL: 'http://identity.example.net:35357/v2.0/',
    });
    expect(entry?.endpoints[0]).not.toHaveProperty('tenantId');
  });

  it('D-ID: the DNS entry has an empty publicURL2 and is listed under each of its types', async () => {
    const { user, tenant } = identity.world;
    const catalog = await catalogOf(user, tenant.id);
    for (const type of ['ext:dns', 'hpext:dns']) {
      const entry = byType(catalog, type);
      expect(entry?.name).toBe('DNS');
      expect(entry?.endpoints[0]).toMatchObject({
        publicURL: 'http://dns.example.net:9001/v1/',
        publicURL2: '',
      });
    }
  });

  it('Identity s1: a global endpoint whose URL names the tenant needs a scoped token', async () => {
    const { db, world } = identity;
    const endpoints = [{ publicUrl: 'https://g.example.net/%(tenant_id)s' }];
    await insertService(db, { types: ['global'], isGlobal: true, endpoints });
    const user = await newMember();
    expect(byType(await catalogOf(user), 'global')).toBeUndefined();
    expect(byType(await catalogOf(user, world.tenant.id), 'global')?.endpoints[0]).toMatchObject({
      tenantId: world.tenant.id,
      publicURL: `https://g.example.net/${world.tenant.id}`,
    });
  });
});
