import { type Database, hashPassword, type Keyring, secretIdentity } from '@zonewright/database';
import { randomBytes } from 'node:crypto';

/** Returns an id as the service generates them. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

export async function insertAccountDomain(
  db: Database,
  values: { id?: string; name?: string; status?: string; statusCode?: number } = {},
): Promise<string> {
  const { id = newId(), name = `domain-${id}`, status = 'enabled', statusCode = null } = values;
  await db.raw(
    'insert into identity.account_domains (id, name, status, status_code) values (?, ?, ?, ?)',
    [id, name, status, statusCode],
  );
  return id;
}

export interface TestUser {
  readonly id: string;
  readonly name: string;
  readonly password: string;
}

/** Inserts a user with an Argon2id hash of its password. */
export async function insertUser(
  db: Database,
  values: {
    accountDomainId: string;
    id?: string;
    name?: string;
    password?: string;
    status?: string;
  },
): Promise<TestUser> {
  const { accountDomainId, id = newId(), status = 'enabled' } = values;
  const { name = `user-${id}`, password = `Pw-${newId()}` } = values;
  await db.raw(
    `insert into identity.users (id, account_domain_id, name, password_hash, status)
     values (?, ?, ?, ?, ?)`,
    [id, accountDomainId, name, await hashPassword(password), status],
  );
  return { id, name, password };
}

export interface TestTenant {
  readonly id: string;
  readonly name: string;
}

export async function insertTenant(
  db: Database,
  values: {
    accountDomainId: string;
    id?: string;
    name?: string;
    displayName?: string;
    description?: string;
    enabled?: boolean;
  },
): Promise<TestTenant> {
  const { accountDomainId, id = newId(), name = `tenant-${id}`, enabled = true } = values;
  const { displayName = null, description = null } = values;
  await db.raw(
    `insert into identity.tenants (id, account_domain_id, name, display_name, description, enabled)
     values (?, ?, ?, ?, ?, ?)`,
    [id, accountDomainId, name, displayName, description, enabled],
  );
  return { id, name };
}

export async function insertRole(
  db: Database,
  values: { id?: string; name?: string; serviceId?: string } = {},
): Promise<string> {
  const { id = newId(), name = `role-${id}`, serviceId = null } = values;
  await db.raw('insert into identity.roles (id, name, service_id) values (?, ?, ?)', [
    id,
    name,
    serviceId,
  ]);
  return id;
}

/** Assigns a role on a tenant, or on the account domain if no tenant is given. */
export async function assignRole(
  db: Database,
  values: { userId: string; roleId: string; tenantId?: string },
): Promise<void> {
  const { userId, roleId, tenantId = null } = values;
  await db.raw(
    'insert into identity.role_assignments (user_id, role_id, tenant_id) values (?, ?, ?)',
    [userId, roleId, tenantId],
  );
}

interface EndpointValues {
  readonly region?: string;
  readonly publicUrl: string;
  readonly publicUrl2?: string;
  readonly internalUrl?: string;
  readonly adminUrl?: string;
  readonly versionId?: string;
  readonly versionInfo?: string;
  readonly versionList?: string;
  readonly releaseState?: string;
  readonly enabled?: boolean;
}

/** Inserts a service of the catalog with its types, endpoints and required roles. */
export async function insertService(
  db: Database,
  values: {
    types: readonly string[];
    endpoints?: readonly EndpointValues[];
    id?: string;
    name?: string;
    isGlobal?: boolean;
    enabled?: boolean;
    requiredRoleIds?: readonly string[];
  },
): Promise<string> {
  const { id = newId(), name = `service-${id}`, isGlobal = false, enabled = true } = values;
  await db.raw('insert into identity.services (id, name, is_global, enabled) values (?, ?, ?, ?)', [
    id,
    name,
    isGlobal,
    enabled,
  ]);
  for (const type of values.types) {
    await db.raw('insert into identity.service_types (service_id, type) values (?, ?)', [id, type]);
  }
  for (const roleId of values.requiredRoleIds ?? []) {
    await db.raw(
      'insert into identity.service_required_roles (service_id, role_id) values (?, ?)',
      [id, roleId],
    );
  }
  for (const endpoint of values.endpoints ?? []) await insertEndpoint(db, id, endpoint);
  return id;
}

async function insertEndpoint(
  db: Database,
  serviceId: string,
  endpoint: EndpointValues,
): Promise<void> {
  await db.raw(
    `insert into identity.endpoints (id, service_id, region, public_url, public_url2, internal_url, admin_url,
       version_id, version_info, version_list, release_state, enabled)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      newId(),
      serviceId,
      endpoint.region ?? 'US-West',
      endpoint.publicUrl,
      endpoint.publicUrl2 ?? null,
      endpoint.internalUrl ?? null,
      endpoint.adminUrl ?? null,
      endpoint.versionId ?? null,
      endpoint.versionInfo ?? null,
      endpoint.versionList ?? null,
      endpoint.releaseState ?? 'public',
      endpoint.enabled ?? true,
    ],
  );
}

export async function activateService(
  db: Database,
  values: { tenantId: string; serviceId: string },
): Promise<void> {
  await db.raw('insert into identity.tenant_services (tenant_id, service_id) values (?, ?)', [
    values.tenantId,
    values.serviceId,
  ]);
}

export interface TestAccessKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Inserts an access key with a secret that is encrypted as by the service. */
export async function insertAccessKey(
  db: Database,
  keyring: Keyring,
  values: {
    userId: string;
    accountDomainId: string;
    id?: string;
    secretKey?: string;
    status?: string;
    validFrom?: Date;
    validTo?: Date;
    /** The project of a restricted key. */
    restrictedTo?: string | undefined;
  },
): Promise<TestAccessKey> {
  const { id = newId().slice(0, 20).toUpperCase(), status = 'active' } = values;
  const { secretKey = randomBytes(30).toString('base64') } = values;
  const { validFrom = new Date(Date.now() - 60_000) } = values;
  const { validTo = new Date(Date.now() + 365 * 24 * 3_600_000) } = values;
  const { restrictedTo: tenantId } = values;
  const restriction =
    tenantId === undefined ? null : JSON.stringify({ tenantId, networks: [], massDelete: false });
  const identity =
    restriction === null ? secretIdentity.accessKey(id) : secretIdentity.restrictedAccessKey(id);
  const { sealed, keyId } = keyring.seal(Buffer.from(secretKey), identity);
  await db.raw(
    `insert into identity.access_keys (id, user_id, account_domain_id, algorithm, key_length, secret_sealed,
       secret_key_id, status, valid_from, valid_to, restriction, restriction_number)
     values (?, ?, ?, 'HmacSHA256', 240, ?, ?, ?, ?, ?, ?::jsonb,
             case when ?::jsonb is not null then nextval('identity.restriction_numbers') end)`,
    [
      ...[id, values.userId, values.accountDomainId, sealed, keyId, status, validFrom, validTo],
      ...[restriction, restriction],
    ],
  );
  return { accessKey: id, secretKey };
}

/** Inserts a token signing key. The primary one signs. */
export async function insertSigningKey(
  db: Database,
  keyring: Keyring,
  values: { id?: string; isPrimary?: boolean } = {},
): Promise<string> {
  const { id = newId().slice(0, 8), isPrimary = true } = values;
  const { sealed, keyId } = keyring.seal(randomBytes(32), secretIdentity.signingKey(id));
  await db.raw(
    `insert into identity.signing_keys (id, secret_sealed, secret_key_id, is_primary)
     values (?, ?, ?, ?)`,
    [id, sealed, keyId, isPrimary],
  );
  return id;
}
