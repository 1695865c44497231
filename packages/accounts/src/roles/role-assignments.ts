import {
  type Database,
  errorCode,
  queryReturning,
  queryRow,
  queryRows,
  SQLSTATE,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getTenant } from '../tenants/tenants.js';
import { getUser } from '../users/users.js';
import { getRole, type Role, ROLE_COLUMNS } from './roles.js';

/** Ids or names. */
interface RoleAssignmentInput {
  readonly user: string;
  readonly role: string;
  /** If absent, the role is held on the account domain, for tokens of any scope. */
  readonly tenant?: string | undefined;
}

/** Does nothing if the role is already granted. @throws ServiceError not-found */
export async function grantRole(
  db: Database,
  input: RoleAssignmentInput,
): Promise<RoleAssignmentIds> {
  const ids = await resolve(db, input);
  try {
    await insertRoleAssignment(db, ids);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.foreignKeyViolation) throw error;
    throw new ServiceError(
      'not-found',
      'the user, the role or the tenant was deleted in the meantime',
      {
        cause: error,
      },
    );
  }
  return ids;
}

/** @throws ServiceError not-found, also if the user does not hold the role there */
export async function revokeRole(
  db: Database,
  input: RoleAssignmentInput,
): Promise<RoleAssignmentIds> {
  const ids = await resolve(db, input);
  if (!(await deleteRoleAssignment(db, ids))) {
    const place =
      input.tenant === undefined ? 'the account domain' : `the tenant "${input.tenant}"`;
    throw new ServiceError(
      'not-found',
      `the user "${input.user}" does not have the role "${input.role}" on ${place}`,
    );
  }
  return ids;
}

/** Lists assignments that match all given members. @throws ServiceError not-found */
export async function findRoleAssignments(
  db: Database,
  filter: { readonly [K in keyof RoleAssignmentInput]?: string | undefined },
): Promise<RoleAssignment[]> {
  const { user, role, tenant } = filter;
  return await listRoleAssignments(db, {
    userId: user === undefined ? undefined : (await getUser(db, user)).id,
    roleId: role === undefined ? undefined : (await getRole(db, role)).id,
    tenantId: tenant === undefined ? undefined : (await getTenant(db, tenant)).id,
  });
}

async function resolve(db: Database, input: RoleAssignmentInput): Promise<RoleAssignmentIds> {
  const user = await getUser(db, input.user);
  const role = await getRole(db, input.role);
  const tenant = input.tenant === undefined ? undefined : await getTenant(db, input.tenant);
  return { userId: user.id, roleId: role.id, tenantId: tenant?.id ?? null };
}

/** Ids of a user, a role and a tenant. */
export interface RoleAssignmentIds {
  readonly userId: string;
  readonly roleId: string;
  /** Null for a role on the account domain, which applies to every scope. */
  readonly tenantId: string | null;
}

export interface RoleAssignment extends RoleAssignmentIds {
  readonly userName: string;
  readonly roleName: string;
  readonly tenantName: string | null;
  readonly createdAt: Date;
}

/** @returns whether the assignment is new */
export async function insertRoleAssignment(
  db: Database,
  assignment: RoleAssignmentIds,
): Promise<boolean> {
  const row = await queryRow(
    db,
    `insert into identity.role_assignments (user_id, role_id, tenant_id) values (?, ?, ?)
     on conflict on constraint role_assignments_unique do nothing returning user_id`,
    [assignment.userId, assignment.roleId, assignment.tenantId],
  );
  return row !== undefined;
}

/** @returns whether the assignment existed */
async function deleteRoleAssignment(db: Database, assignment: RoleAssignmentIds): Promise<boolean> {
  const row = await queryRow(
    db,
    `delete from identity.role_assignments as a
      where a.user_id = ? and a.role_id = ? and a.tenant_id is not distinct from ?::text
      returning a.user_id`,
    [assignment.userId, assignment.roleId, assignment.tenantId],
  );
  return row !== undefined;
}

export async function hasRoleAssignment(
  db: Database,
  { userId, roleId, tenantId }: RoleAssignmentIds,
): Promise<boolean> {
  const row = await queryRow(
    db,
    `select from identity.role_assignments as a
      where a.user_id = ? and a.role_id = ? and a.tenant_id is not distinct from ?::text`,
    [userId, roleId, tenantId],
  );
  return row !== undefined;
}

export async function countAssignmentsOf(db: Database, userId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    db,
    'select count(*)::integer as count from identity.role_assignments as a where a.user_id = ?',
    [userId],
  );
  return count;
}

/** Lists the names of all roles that a user holds anywhere. */
export async function listRoleNamesOf(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select distinct r.name from identity.role_assignments as a
       join identity.roles as r on r.id = a.role_id where a.user_id = ? order by r.name`,
    [userId],
  );
  return rows.map(({ name }) => name);
}

/** Lists the roles that a user holds on one target. */
export async function listRolesHeld(
  db: Database,
  { userId, tenantId }: Pick<RoleAssignmentIds, 'userId' | 'tenantId'>,
): Promise<Role[]> {
  return await queryRows<Role>(
    db,
    `select ${ROLE_COLUMNS} from identity.roles as r
       join identity.role_assignments as a on a.role_id = r.id
      where a.user_id = ? and a.tenant_id is not distinct from ?::text order by r.name`,
    [userId, tenantId],
  );
}

/** Lists assignments with the given user, role and tenant. Absent members match everything. */
async function listRoleAssignments(
  db: Database,
  filter: { readonly [K in keyof RoleAssignmentIds]?: string | undefined },
): Promise<RoleAssignment[]> {
  const { userId = null, roleId = null, tenantId = null } = filter;
  return await queryRows<RoleAssignment>(
    db,
    `select a.user_id as "userId", u.name as "userName", a.role_id as "roleId", r.name as "roleName",
            a.tenant_id as "tenantId", t.name as "tenantName", a.created_at as "createdAt"
       from identity.role_assignments as a
       join identity.users as u on u.id = a.user_id
       join identity.roles as r on r.id = a.role_id
       left join identity.tenants as t on t.id = a.tenant_id
      where (?::text is null or a.user_id = ?) and (?::text is null or a.role_id = ?)
        and (?::text is null or a.tenant_id = ?)
      order by u.name, t.name nulls first, r.name`,
    [userId, userId, roleId, roleId, tenantId, tenantId],
  );
}
