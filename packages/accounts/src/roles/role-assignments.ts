import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getTenant } from '../tenants/tenants.js';
import { getUser } from '../users/users.js';
import {
  deleteRoleAssignment,
  type RoleAssignment,
  type RoleAssignmentIds,
  insertRoleAssignment,
  listRoleAssignments,
} from './role-assignment-store.js';
import { getRole } from './get-role.js';

/** Each member an id or a name. */
interface RoleAssignmentInput {
  readonly user: string;
  readonly role: string;
  /** Absent: the role is held on the account domain, whatever the scope of the token. */
  readonly tenant?: string | undefined;
}

/** Granting what is granted already changes nothing. @throws ServiceError not-found */
export async function grantRole(
  db: Database,
  input: RoleAssignmentInput,
): Promise<RoleAssignmentIds> {
  const ids = await resolve(db, input);
  try {
    await insertRoleAssignment(db, ids);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.foreignKeyViolation) throw error;
    throw new ServiceError('not-found', 'the user, the role or the tenant was deleted meanwhile', {
      cause: error,
    });
  }
  return ids;
}

/** @throws ServiceError not-found, also when the user does not hold the role there */
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
      `user "${input.user}" does not hold the role "${input.role}" on ${place}`,
    );
  }
  return ids;
}

/** The assignments that have all of the given members. @throws ServiceError not-found */
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
