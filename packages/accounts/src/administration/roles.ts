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
import { changeExtra, type Extra, listExtras } from './extra.js';

/** Role in the view of administrators. */
export interface ManagedRole extends Role {
  readonly extra: Extra;
}

/** Members of a role that the operator sets. */
interface RoleChange {
  readonly name: string | undefined;
  readonly extra: Extra | undefined;
}

/** Returns a page of all roles, by id. Every administrator sees all roles. */
export async function listRolesAs(
  db: Database,
  _administrator: Administrator,
  page: RolePage,
): Promise<ManagedRole[]> {
  return await withExtras(db, await listRolePage(db, page));
}

async function withExtras(db: Database, roles: readonly Role[]): Promise<ManagedRole[]> {
  const ids = roles.map(({ id }) => id);
  const extras = await listExtras(db, 'roles', ids);
  return roles.map((role) => ({ ...role, extra: extras.get(role.id) ?? {} }));
}

async function storeExtra(
  trx: Database,
  role: Role,
  change: Extra | undefined,
): Promise<ManagedRole> {
  await changeExtra(trx, 'roles', role.id, change);
  const [managed] = await withExtras(trx, [role]);
  return managed ?? { ...role, extra: {} };
}

/** @throws ServiceError not-found */
export async function getRoleAs(
  db: Database,
  _administrator: Administrator,
  id: string,
): Promise<ManagedRole> {
  const role = await findRoleById(db, id);
  if (role === undefined) throw notFound('role not found');
  return await storeExtra(db, role, undefined);
}

/** @throws ServiceError forbidden, conflict, invalid */
export async function createRoleAs(
  trx: Database,
  administrator: Administrator,
  { name, extra }: RoleChange & { readonly name: string },
): Promise<ManagedRole> {
  requireOperator(administrator);
  return await storeExtra(trx, await createRole(trx, { name }), extra);
}

/** @throws ServiceError forbidden, conflict, invalid, not-found */
export async function changeRoleAs(
  trx: Database,
  administrator: Administrator,
  { id, change: { name, extra } }: { readonly id: string; readonly change: RoleChange },
): Promise<ManagedRole> {
  const role = await getOwnRole(trx, administrator, id);
  if (name === undefined || role.name === name) return await storeExtra(trx, role, extra);
  const parsed = parseName('the name', name);
  const renamed = await orConflict(updateRoleName(trx, id, parsed), roleNameConflict(parsed));
  return await storeExtra(trx, renamed, extra);
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
async function getOwnRole(
  db: Database,
  administrator: Administrator,
  id: string,
): Promise<ManagedRole> {
  requireOperator(administrator);
  const role = await getRoleAs(db, administrator, id);
  if (!BUILT_IN_ROLES.includes(role.name)) return role;
  throw new ServiceError('conflict', `the role "${role.name}" is built in and cannot be changed`);
}
