import type { Database } from '@zonewright/database';
import { invalidRequest, notFound } from '../problems/problems.js';
import {
  countAssignmentsOf,
  hasRoleAssignment,
  listRolesHeld,
  type RoleAssignmentIds,
} from '../roles/role-assignment-store.js';
import { grantRole, revokeRole } from '../roles/role-assignments.js';
import {
  type AssignmentPage,
  type ShownAssignment,
  listAssignmentPage,
} from '../roles/assignment-page-store.js';
import type { Role } from '../roles/role-store.js';
import {
  type Administrator,
  narrow,
  refused,
  requireRoom,
  requireWithin,
} from './administrator.js';
import { getRoleAs } from './role-administration.js';
import { getManagedTenant } from './tenant-administration.js';
import { getManagedUser } from './user-administration.js';

/** Where a role is held: on a tenant, or on an account domain, which is the user's own. */
export type GrantPlace = { readonly tenantId: string } | { readonly accountDomainId: string };

export interface Grant {
  readonly userId: string;
  readonly roleId: string;
  readonly place: GrantPlace;
}

/** Granting what is granted already changes nothing. @throws ServiceError not-found, invalid, forbidden, over-quota */
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

/** @throws ServiceError not-found, also when the user does not hold the role there; forbidden */
export async function revokeRoleAs(
  trx: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<void> {
  const ids = await resolveGrantable(trx, administrator, grant);
  await revokeRole(trx, { user: ids.userId, role: ids.roleId, tenant: ids.tenantId ?? undefined });
}

/** @throws ServiceError not-found, when the user does not hold the role there, too */
export async function checkGrantAs(
  db: Database,
  administrator: Administrator,
  grant: Grant,
): Promise<void> {
  const ids = await resolve(db, administrator, grant);
  if (!(await hasRoleAssignment(db, ids))) throw notFound('role assignment not found');
}

/** The roles that a user holds in one place. @throws ServiceError not-found */
export async function listGrantsAs(
  db: Database,
  administrator: Administrator,
  { userId, place }: Pick<Grant, 'userId' | 'place'>,
): Promise<Role[]> {
  const tenantId = await resolvePlace(db, administrator, { userId, place });
  return await listRolesHeld(db, { userId, tenantId });
}

/**
 * A page of who holds which role where. The administrator of an account domain sees what its users hold on it and on its tenants.
 */
export async function listAssignmentsAs(
  db: Database,
  administrator: Administrator,
  page: AssignmentPage,
): Promise<ShownAssignment[]> {
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
  throw refused(`only the operator gives and takes the role ${name}`);
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
    throw invalidRequest('a role on an account domain is held by users of that domain alone');
  }
  return null;
}
