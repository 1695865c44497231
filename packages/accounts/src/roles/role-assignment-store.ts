import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { type Role, ROLE_COLUMNS } from './role-store.js';

/** A role that a user holds; the identifiers that a row has. */
export interface RoleAssignmentIds {
  readonly userId: string;
  readonly roleId: string;
  /** Null: on the account domain, held whatever the token's scope. */
  readonly tenantId: string | null;
}

export interface RoleAssignment extends RoleAssignmentIds {
  readonly userName: string;
  readonly roleName: string;
  readonly tenantName: string | null;
  readonly createdAt: Date;
}

/** @returns whether it was not there before. */
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

/** @returns whether it was there. */
export async function deleteRoleAssignment(
  db: Database,
  assignment: RoleAssignmentIds,
): Promise<boolean> {
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

/** The names of all roles that a user holds anywhere. */
export async function listRoleNamesOf(db: Database, userId: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select distinct r.name from identity.role_assignments as a
       join identity.roles as r on r.id = a.role_id where a.user_id = ? order by r.name`,
    [userId],
  );
  return rows.map(({ name }) => name);
}

/** The roles that a user holds in one place. */
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

/** The assignments with the given user, role and tenant; a member that is absent does not matter. */
export async function listRoleAssignments(
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
