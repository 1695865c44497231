import { type Database, queryRows } from '@zonewright/database';
import {
  countAssignmentsOf,
  grantRole,
  hasRoleAssignment,
  listRolesHeld,
  revokeRole,
  type RoleAssignmentIds,
} from '../roles/role-assignments.js';
import type { Role } from '../roles/roles.js';
import { invalidRequest, notFound } from '../shared/problems.js';
import {
  type Administrator,
  narrow,
  refused,
  requireRoom,
  requireWithin,
} from './administrator.js';
import { getRoleAs } from './roles.js';
import { getManagedTenant } from './tenants.js';
import { getManagedUser } from './users.js';

/** Target of a role: a tenant, or the user's own account domain. */
export type GrantTarget = { readonly tenantId: string } | { readonly accountDomainId: string };

export interface Grant {
  readonly userId: string;
  readonly roleId: string;
  readonly place: GrantTarget;
}

/** Does nothing if the role is granted already. @throws ServiceError not-found, invalid, forbidden, over-quota */
export async function grantRoleAs(
  trx: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<void> {
  const ids = await resolveGrantable(trx, administrator, grant);
  if (await hasRoleAssignment(trx, ids)) return;
  requireRoom(administrator, {
    count: await countAssignmentsOf(trx, ids.userId),
    quota: administrator.rules.roleAssignmentQuota,
    what: 'role assignments of a user',
  });
  await grantRole(trx, { user: ids.userId, role: ids.roleId, tenant: ids.tenantId ?? undefined });
}

/** @throws ServiceError not-found, also if the user does not hold the role there; forbidden */
export async function revokeRoleAs(
  trx: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<void> {
  const ids = await resolveGrantable(trx, administrator, grant);
  await revokeRole(trx, { user: ids.userId, role: ids.roleId, tenant: ids.tenantId ?? undefined });
}

/** @throws ServiceError not-found, also if the user does not hold the role there */
export async function checkGrantAs(
  db: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<void> {
  const ids = await resolve(db, administrator, grant);
  if (!(await hasRoleAssignment(db, ids))) throw notFound('role assignment not found');
}

/** Lists the roles of a user on one target. @throws ServiceError not-found */
export async function listGrantsAs(
  db: Database,
  administrator: Administrator,
  { userId, place }: Pick<Grant, 'userId' | 'place'>,
): Promise<Role[]> {
  const tenantId = await resolvePlace(db, administrator, { userId, place });
  return await listRolesHeld(db, { userId, tenantId });
}

/**
 * Returns a page of role assignments. The administrator of an account domain sees the assignments of its users on the
 * domain and on its tenants.
 */
export async function listAssignmentsAs(
  db: Database,
  administrator: Administrator,
  page: AssignmentPage,
): Promise<NamedAssignment[]> {
  const within = narrow(administrator, undefined) ?? undefined;
  return await listAssignmentPage(db, { ...page, within });
}

async function resolveGrantable(
  db: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<RoleAssignmentIds> {
  const ids = await resolve(db, administrator, grant);
  const { name } = await getRoleAs(db, administrator, ids.roleId);
  const { accountDomainId, rules } = administrator;
  if (accountDomainId === undefined || rules.grantableRoles.includes(name)) return ids;
  throw refused(`only the operator can grant and revoke the role ${name}`);
}

async function resolve(
  db: Database,
  administrator: Administrator,
  { userId, roleId, place }: Grant,
): Promise<RoleAssignmentIds> {
  const tenantId = await resolvePlace(db, administrator, { userId, place });
  const role = await getRoleAs(db, administrator, roleId);
  return { userId, roleId: role.id, tenantId };
}

async function resolvePlace(
  db: Database,
  administrator: Administrator,
  { userId, place }: Pick<Grant, 'userId' | 'place'>,
): Promise<string | null> {
  const user = await getManagedUser(db, administrator, userId);
  if ('tenantId' in place) return (await getManagedTenant(db, administrator, place.tenantId)).id;
  requireWithin(administrator, place.accountDomainId, 'account domain');
  if (user.accountDomainId !== place.accountDomainId) {
    throw invalidRequest('only users of an account domain can hold a role on it');
  }
  return null;
}

/** Filter of a list of assignments. Undefined members match everything. */
interface AssignmentPage {
  readonly userId: string | undefined;
  readonly roleId: string | undefined;
  readonly tenantId: string | undefined;
  /** Selects assignments on this account domain. */
  readonly accountDomainId: string | undefined;
  /** Last assignment of the previous page. */
  readonly after: RoleAssignmentIds | undefined;
  readonly limit: number;
}

/** Assignment with the names of its user, role and target. */
export interface NamedAssignment extends RoleAssignmentIds {
  readonly userName: string;
  readonly userDomainId: string;
  readonly userDomainName: string;
  readonly roleName: string;
  readonly tenantName: string | null;
  readonly tenantDomainId: string | null;
  readonly tenantDomainName: string | null;
}

type Condition = readonly [condition: string, ...bindings: string[]];

/** Returns assignments sorted by user, role and tenant. `within` limits users and tenants to an account domain. */
async function listAssignmentPage(
  db: Database,
  page: AssignmentPage & { readonly within: string | undefined },
): Promise<NamedAssignment[]> {
  const conditions = conditionsOf(page);
  return await queryRows<NamedAssignment>(
    db,
    `select a.user_id as "userId", u.name as "userName", u.account_domain_id as "userDomainId",
            ud.name as "userDomainName", a.role_id as "roleId", r.name as "roleName",
            a.tenant_id as "tenantId", t.name as "tenantName", t.account_domain_id as "tenantDomainId",
            td.name as "tenantDomainName"
       from identity.role_assignments as a
       join identity.users as u on u.id = a.user_id
       join identity.account_domains as ud on ud.id = u.account_domain_id
       join identity.roles as r on r.id = a.role_id
       left join identity.tenants as t on t.id = a.tenant_id
       left join identity.account_domains as td on td.id = t.account_domain_id
      where ${['true', ...conditions.map(([condition]) => condition)].join(' and ')}
      order by a.user_id, a.role_id, coalesce(a.tenant_id, '') limit ?`,
    [...conditions.flatMap(([, ...bindings]) => bindings), page.limit],
  );
}

function conditionsOf({
  userId,
  roleId,
  tenantId,
  accountDomainId,
  within,
  after,
}: Parameters<typeof listAssignmentPage>[1]): Condition[] {
  const given: [string | undefined, string][] = [
    [userId, 'a.user_id = ?'],
    [roleId, 'a.role_id = ?'],
    [tenantId, 'a.tenant_id = ?'],
    [accountDomainId, 'a.tenant_id is null and u.account_domain_id = ?'],
    [within, 'u.account_domain_id = ?'],
    [within, '(a.tenant_id is null or t.account_domain_id = ?)'],
  ];
  const conditions = given.flatMap(([value, condition]): Condition[] =>
    value === undefined ? [] : [[condition, value]],
  );
  if (after === undefined) return conditions;
  const position = [after.userId, after.roleId, after.tenantId ?? ''] as const;
  return [
    ...conditions,
    [`(a.user_id, a.role_id, coalesce(a.tenant_id, '')) > (?, ?, ?)`, ...position],
  ];
}
