import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';

/** Returns a service by id or name. @throws ServiceError not-found */
export async function getService(db: Database, reference: string): Promise<Service> {
  const service = await findService(db, reference);
  if (service === undefined) {
    throw new ServiceError('not-found', `no service has the id or name "${reference}"`);
  }
  return service;
}

/** Service of the catalog. */
export interface Service {
  readonly id: string;
  readonly name: string;
  /** The catalog lists the service once for each type. Old clients use an older type. */
  readonly types: readonly string[];
  /** Whether every token contains the service, without activation. */
  readonly isGlobal: boolean;
  /** Whether the service is activated for each new tenant. */
  readonly isForNewTenants: boolean;
  readonly enabled: boolean;
  /** Names of roles, one of which on the tenant gives access. Empty if no role is required. */
  readonly requiredRoles: readonly string[];
  readonly createdAt: Date;
}

const SELECT = `select s.id, s.name, s.is_global as "isGlobal", s.for_new_tenants as "isForNewTenants", s.enabled,
    s.created_at as "createdAt",
    array(select st.type from identity.service_types as st where st.service_id = s.id order by st.type) as types,
    array(select r.name from identity.service_required_roles as q join identity.roles as r on r.id = q.role_id
           where q.service_id = s.id order by r.name) as "requiredRoles"
  from identity.services as s`;

/** Finds a service by id, or else by name. */
export async function findService(db: Database, reference: string): Promise<Service | undefined> {
  return await queryRow<Service>(
    db,
    `${SELECT} where s.id = ? or s.name = ? order by (s.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function listServices(db: Database): Promise<Service[]> {
  return await queryRows<Service>(db, `${SELECT} order by s.name`);
}

/** Catalog types of the DNS service: two for old clients, and one for clients of Designate v2. */
const DNS_TYPES: readonly string[] = ['ext:dns', 'hpext:dns', 'dns'];

/** Type for clients of Designate v2; its URL has no version. */
export const DESIGNATE_TYPE = 'dns';

export function isOfDns({ types }: Pick<Service, 'types'>): boolean {
  return types.some((type) => DNS_TYPES.includes(type));
}

/**
 * Lists the catalog entries of the same service, including this one. The entries of the DNS service have the same
 * tenants and roles, since each of them gives access to it.
 */
export async function listEntriesOf(db: Database, service: Service): Promise<readonly Service[]> {
  if (!isOfDns(service)) return [service];
  const others = (await listServices(db)).filter(({ id }) => id !== service.id);
  return [service, ...others.filter(isOfDns)];
}

export async function insertService(
  db: Database,
  service: Pick<Service, 'id' | 'name' | 'isGlobal'>,
): Promise<void> {
  await db.raw(`insert into identity.services (id, name, is_global) values (?, ?, ?)`, [
    service.id,
    service.name,
    service.isGlobal,
  ]);
}

export async function updateService(
  db: Database,
  service: Pick<Service, 'id' | 'name' | 'isGlobal' | 'enabled'>,
): Promise<void> {
  await queryReturning(
    db,
    `update identity.services as s set name = ?, is_global = ?, enabled = ? where s.id = ? returning s.id`,
    [service.name, service.isGlobal, service.enabled, service.id],
  );
}

/** Sets whether services are activated for each new tenant. */
export async function updateForNewTenants(
  db: Database,
  serviceIds: readonly string[],
  isForNewTenants: boolean,
): Promise<void> {
  await queryRows(
    db,
    'update identity.services as s set for_new_tenants = ? where s.id = any(?::text[]) returning s.id',
    [isForNewTenants, serviceIds],
  );
}

/** Adds missing types. @returns the new ones */
export async function insertServiceTypes(
  db: Database,
  serviceId: string,
  types: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ type: string }>(
    db,
    `insert into identity.service_types (service_id, type)
     select ?, given.type from unnest(?::text[]) as given (type)
     on conflict do nothing returning type`,
    [serviceId, types],
  );
  return rows.map((row) => row.type);
}

export async function deleteServiceTypesExcept(
  db: Database,
  serviceId: string,
  kept: readonly string[],
): Promise<void> {
  await db.raw(
    `delete from identity.service_types as st where st.service_id = ? and st.type <> all(?::text[])`,
    [serviceId, [...kept]],
  );
}

/** Adds missing roles. */
export async function insertRequiredRoles(
  db: Database,
  serviceId: string,
  roleIds: readonly string[],
): Promise<void> {
  await db.raw(
    `insert into identity.service_required_roles (service_id, role_id)
     select ?, given.id from unnest(?::text[]) as given (id)
     on conflict do nothing`,
    [serviceId, [...roleIds]],
  );
}

export async function deleteRequiredRolesExcept(
  db: Database,
  serviceId: string,
  kept: readonly string[],
): Promise<void> {
  await db.raw(
    `delete from identity.service_required_roles as q where q.service_id = ? and q.role_id <> all(?::text[])`,
    [serviceId, [...kept]],
  );
}
