import {
  type Database,
  orConflict,
  queryReturning,
  queryRow,
  queryRows,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { chooseId, parseName } from '../shared/names.js';
import { getService } from './service-store.js';

/**
 * Roles of the identity service in every installation. account.ts defines the rights of `admin`, `service` and
 * `identity-operator`.
 */
export const IDENTITY_ROLES = ['admin', 'service', 'identity-operator', 'member'];
/** Role that adds the DNS service to a tenant's catalog. */
export const DNS_ROLE = 'dns-admin';
/** Role that gives the operator's staff access to the state of the nameservers (GET /v1/nameservers). */
export const DNS_OPERATOR_ROLE = 'dns-operator';
/**
 * Role that gives the operator's staff access to every project in the DNS API v2, and to the rules for names and
 * quotas.
 */
export const DNS_CLOUD_ADMIN_ROLE = 'dns-cloud-admin';

/** Role that only lets nameservers send updates to the DNS API for the users who signed them. */
export const NAMESERVER_ROLE = 'nameserver';

/** Roles that cannot be renamed or deleted, since programs rely on their names. */
export const BUILT_IN_ROLES: readonly string[] = [
  ...IDENTITY_ROLES,
  DNS_ROLE,
  DNS_OPERATOR_ROLE,
  DNS_CLOUD_ADMIN_ROLE,
  NAMESERVER_ROLE,
];

interface CreateRoleInput {
  readonly name: string;
  readonly id?: string | undefined;
  /** Id or name of the service that defines the role. Absent for a role of the identity service. */
  readonly service?: string | undefined;
}

/** @throws ServiceError conflict, invalid, not-found (the service) */
export async function createRole(db: Database, input: CreateRoleInput): Promise<Role> {
  const role = { id: chooseId(input.id), name: parseName('the name', input.name) };
  const service = input.service === undefined ? undefined : await getService(db, input.service);
  return await orConflict(insertRole(db, { ...role, serviceId: service?.id ?? null }), {
    roles_pkey: `a role with the id "${role.id}" already exists`,
    ...roleNameConflict(role.name),
  });
}

export function roleNameConflict(name: string): Record<string, string> {
  return { roles_name_unique: `a role named "${name}" already exists` };
}

/** Returns a role by id or name. @throws ServiceError not-found */
export async function getRole(db: Database, reference: string): Promise<Role> {
  const role = await findRole(db, reference);
  if (role === undefined) {
    throw new ServiceError('not-found', `no role has the id or name "${reference}"`);
  }
  return role;
}

/**
 * Returns the roles that only the operator grants. An administrator of an account domain must not gain them by acting
 * as their holder.
 */
export function higherRoles(
  names: readonly string[],
  grantableRoles: readonly string[],
): readonly string[] {
  return names.filter((name) => !grantableRoles.includes(name));
}

export interface Role {
  readonly id: string;
  readonly name: string;
  /** Service that defines the role. The API calls it serviceId. */
  readonly serviceId: string | null;
  readonly serviceName: string | null;
  readonly createdAt: Date;
}

/** Columns of a query from identity.roles as r. */
export const ROLE_COLUMNS = `r.id, r.name, r.service_id as "serviceId",
  (select s.name from identity.services as s where s.id = r.service_id) as "serviceName",
  r.created_at as "createdAt"`;

async function insertRole(
  db: Database,
  role: Pick<Role, 'id' | 'name' | 'serviceId'>,
): Promise<Role> {
  return await queryReturning<Role>(
    db,
    `insert into identity.roles as r (id, name, service_id) values (?, ?, ?) returning ${ROLE_COLUMNS}`,
    [role.id, role.name, role.serviceId],
  );
}

/** Finds a role by id, or else by name. */
export async function findRole(db: Database, reference: string): Promise<Role | undefined> {
  return await queryRow<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r
      where r.id = ? or r.name = ? order by (r.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function findRoleById(db: Database, id: string): Promise<Role | undefined> {
  return await queryRow<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r where r.id = ?`,
    [id],
  );
}

/** Filter and page of roles, by id. */
export interface RolePage {
  readonly name: string | undefined;
  /** Id of the last role of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

export async function listRolePage(db: Database, page: RolePage): Promise<Role[]> {
  const { name = null, after = null, limit } = page;
  return await queryRows<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r
      where (?::text is null or r.name = ?) and (?::text is null or r.id > ?) order by r.id limit ?`,
    [name, name, after, after, limit],
  );
}

export async function updateRoleName(db: Database, id: string, name: string): Promise<Role> {
  return await queryReturning<Role>(
    db,
    `update identity.roles as r set name = ? where r.id = ? returning ${ROLE_COLUMNS}`,
    [name, id],
  );
}

/** Whether a service of the catalog requires the role. */
export async function isRoleRequired(db: Database, id: string): Promise<boolean> {
  const row = await queryRow(
    db,
    'select from identity.service_required_roles as q where q.role_id = ? limit 1',
    [id],
  );
  return row !== undefined;
}

/** Deletes the role and its assignments. */
export async function deleteRole(db: Database, id: string): Promise<void> {
  await db.raw('delete from identity.roles as r where r.id = ?', [id]);
}

export async function listRoles(db: Database): Promise<Role[]> {
  return await queryRows<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r order by r.name`,
  );
}
