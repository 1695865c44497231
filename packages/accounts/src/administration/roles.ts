import { type Database, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import {
  BUILT_IN_ROLES,
  createRole,
  deleteRole,
  findRoleById,
  isRoleRequired,
  listRolePage,
  type Role,
  roleNameConflict,
  type RolePage,
  updateRoleName,
} from '../roles/roles.js';
import { parseName } from '../shared/names.js';
import { notFound } from '../shared/problems.js';
import { type Administrator, requireOperator } from './administrator.js';

/** Returns a page of all roles, by id. Every administrator sees all roles. */
export async function listRolesAs(
  db: Database,
  _administrator: Administrator,
  page: RolePage,
): Promise<Role[]> {
  return await listRolePage(db, page);
}

/** @throws ServiceError not-found */
export async function getRoleAs(
  db: Database,
  _administrator: Administrator,
  id: string,
): Promise<Role> {
  const role = await findRoleById(db, id);
  if (role === undefined) throw notFound('role not found');
  return role;
}

/** @throws ServiceError forbidden, conflict, invalid */
export async function createRoleAs(
  trx: Database,
  administrator: Administrator,
  name: string,
): Promise<Role> {
  requireOperator(administrator);
  return await createRole(trx, { name });
}

/** @throws ServiceError forbidden, conflict, invalid, not-found */
export async function renameRoleAs(
  trx: Database,
  administrator: Administrator,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Role> {
  const role = await getOwnRole(trx, administrator, id);
  if (role.name === name) return role;
  const parsed = parseName('the name', name);
  return await orConflict(updateRoleName(trx, id, parsed), roleNameConflict(parsed));
}

/** Deletes the role and its assignments. @throws ServiceError forbidden, conflict, not-found */
export async function deleteRoleAs(
  trx: Database,
  administrator: Administrator,
  id: string,
): Promise<void> {
  const { name } = await getOwnRole(trx, administrator, id);
  // A service that loses its only required role would be open to everybody.
  if (await isRoleRequired(trx, id)) {
    throw new ServiceError('conflict', `a service in the catalog requires the role "${name}"`);
  }
  await deleteRole(trx, id);
}

/** Returns a role that is not built in. */
async function getOwnRole(db: Database, administrator: Administrator, id: string): Promise<Role> {
  requireOperator(administrator);
  const role = await getRoleAs(db, administrator, id);
  if (!BUILT_IN_ROLES.includes(role.name)) return role;
  throw new ServiceError('conflict', `the role "${role.name}" is built in and cannot be changed`);
}
