import type { Database, Keyring } from '@zonewright/database';
import {
  activateService,
  assignRole,
  insertAccessKey,
  insertAccountDomain,
  insertRole,
  insertService,
  insertSigningKey,
  insertTenant,
  insertUser,
  type TestAccessKey,
  type TestTenant,
  type TestUser,
} from './identity-fixtures.js';

/** Small installation of the identity service for tests. */
export interface IdentityWorld {
  readonly accountDomainId: string;
  /** Member of `tenant` with an access key. */
  readonly user: TestUser;
  readonly accessKey: TestAccessKey;
  readonly tenant: TestTenant;
  /** Another tenant of the same user. */
  readonly secondTenant: TestTenant;
  /** User with the role `admin` on the account domain. */
  readonly administrator: TestUser;
  /** User with the role `service`. dns-api logs in with its access key. */
  readonly serviceUser: TestUser;
  readonly serviceAccessKey: TestAccessKey;
  readonly roleIds: { readonly member: string; readonly admin: string; readonly service: string };
  readonly serviceIds: {
    readonly identity: string;
    readonly dns: string;
    readonly objectStore: string;
  };
}

interface WorldOptions {
  readonly identityUrl?: string;
  readonly dnsUrl?: string;
}

/** Inserts an account domain with users, tenants, roles, catalog, access keys and a signing key. */
export async function seedIdentity(
  db: Database,
  keyring: Keyring,
  options: WorldOptions = {},
): Promise<IdentityWorld> {
  const accountDomainId = await insertAccountDomain(db);
  const roleIds = {
    member: await insertRole(db, { name: 'member' }),
    admin: await insertRole(db, { name: 'admin' }),
    service: await insertRole(db, { name: 'service' }),
  };
  const [user, administrator, serviceUser] = await Promise.all([
    insertUser(db, { accountDomainId }),
    insertUser(db, { accountDomainId }),
    insertUser(db, { accountDomainId }),
  ]);
  const tenant = await insertTenant(db, { accountDomainId, description: 'the first one' });
  const secondTenant = await insertTenant(db, { accountDomainId });
  for (const { id: tenantId } of [tenant, secondTenant]) {
    await assignRole(db, { userId: user.id, roleId: roleIds.member, tenantId });
  }
  await assignRole(db, { userId: administrator.id, roleId: roleIds.admin });
  await assignRole(db, { userId: serviceUser.id, roleId: roleIds.service });
  const serviceIds = await seedCatalog(db, options);
  for (const serviceId of [serviceIds.dns, serviceIds.objectStore]) {
    await activateService(db, { tenantId: tenant.id, serviceId });
  }
  await insertSigningKey(db, keyring);
  return {
    accountDomainId,
    user,
    accessKey: await insertAccessKey(db, keyring, { userId: user.id, accountDomainId }),
    tenant,
    secondTenant,
    administrator,
    serviceUser,
    serviceAccessKey: await insertAccessKey(db, keyring, {
      userId: serviceUser.id,
      accountDomainId,
    }),
    roleIds,
    serviceIds,
  };
}

async function seedCatalog(
  db: Database,
  options: WorldOptions,
): Promise<IdentityWorld['serviceIds']> {
  const {
    identityUrl = 'http://identity.example.net:35357',
    dnsUrl = 'http://dns.example.net:9001',
  } = options;
  return {
    identity: await insertService(db, {
      name: 'Identity',
      types: ['identity'],
      isGlobal: true,
      endpoints: [
        {
          publicUrl: `${identityUrl}/v2.0/`,
          versionId: '2.0',
          versionInfo: `${identityUrl}/v2.0/`,
          versionList: identityUrl,
        },
      ],
    }),
    dns: await insertService(db, {
      name: 'DNS',
      types: ['ext:dns', 'hpext:dns'],
      endpoints: [{ publicUrl: `${dnsUrl}/v1/`, publicUrl2: '' }],
    }),
    objectStore: await insertService(db, {
      name: 'Object Storage',
      types: ['object-store'],
      endpoints: [
        { publicUrl: 'https://objects.example.net/v1/%(tenant_id)s', versionId: '1.0' },
        {
          region: 'US-East',
          publicUrl: 'https://objects-east.example.net/v1/%(tenant_id)s',
          enabled: false,
        },
      ],
    }),
  };
}
