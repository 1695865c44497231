import type { Database } from '@zonewright/database';
import { getAccountDomain } from '../account-domains/account-domains.js';
import { notFound } from '../problems/problems.js';
import type { Account } from '../users/account.js';
import {
  countUsers,
  deleteUser,
  findUserById,
  listUserPage,
  type User,
  type UserPage,
  updateUserPassword,
  updateUserStatus,
} from '../users/user-store.js';
import { addUser, describeUser, renameUser } from '../users/users.js';
import { higherRoles } from '../roles/higher-roles.js';
import { listRoleNamesOf } from '../roles/role-assignment-store.js';
import {
  type Administrator,
  type AdministrationRules,
  findAdministrator,
  getAdministrator,
  narrow,
  refused,
  requireRoom,
  requireWithin,
} from './administrator.js';
import {
  changeDefaultProject,
  type ManagedUser,
  withDefaultProject,
  withDefaultProjects,
} from './default-project.js';

/** A page of the users that an administrator manages, by id. */
export async function listUsersAs(
  db: Database,
  administrator: Administrator,
  page: UserPage,
): Promise<ManagedUser[]> {
  const accountDomainId = narrow(administrator, page.accountDomainId);
  if (accountDomainId === null) return [];
  return await withDefaultProjects(db, await listUserPage(db, { ...page, accountDomainId }));
}

/** Oneself, or as an administrator one of those that one manages. @throws ServiceError not-found, forbidden */
export async function getUserAs(
  db: Database,
  account: Account,
  { id, rules }: { readonly id: string; readonly rules: AdministrationRules },
): Promise<ManagedUser> {
  const administrator =
    id === account.id ? findAdministrator(account, rules) : getAdministrator(account, rules);
  const user = await findUserById(db, id);
  if (user === undefined) throw notFound('user not found');
  if (administrator !== undefined && id !== account.id) {
    requireWithin(administrator, user.accountDomainId, 'user');
  }
  return await withDefaultProject(db, user);
}

/** One that the administrator manages. @throws ServiceError not-found */
export async function getManagedUser(
  db: Database,
  administrator: Administrator,
  id: string,
): Promise<User> {
  const user = await findUserById(db, id);
  requireWithin(administrator, user?.accountDomainId, 'user');
  return user as User;
}

interface NewUser {
  readonly name: string;
  /** Undefined: the administrator's own. */
  readonly accountDomainId: string | undefined;
  readonly passwordHash: string | null;
  readonly description: string | undefined;
  readonly email: string | undefined;
  readonly defaultProjectId: string | undefined;
  readonly enabled: boolean;
}

/** @throws ServiceError conflict, invalid, not-found (the account domain), over-quota */
export async function createUserAs(
  trx: Database,
  administrator: Administrator,
  input: NewUser,
): Promise<ManagedUser> {
  const accountDomainId = input.accountDomainId ?? administrator.account.domain.id;
  requireWithin(administrator, accountDomainId, 'account domain');
  await getAccountDomain(trx, accountDomainId);
  requireRoom(administrator, {
    count: await countUsers(trx, accountDomainId),
    quota: administrator.rules.accountDomainQuota,
    what: 'users in an account domain',
  });
  const { name, passwordHash, description, email } = input;
  const added = await addUser(trx, { name, accountDomainId, passwordHash });
  const described = await describeUser(trx, added, { description, email });
  const user = input.enabled ? described : await updateUserStatus(trx, described.id, 'disabled');
  const { defaultProjectId: projectId } = input;
  return await changeDefaultProject(trx, administrator, { user, projectId });
}

interface UserChange {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly email: string | undefined;
  readonly defaultProjectId: string | undefined;
  readonly enabled: boolean | undefined;
  readonly passwordHash: string | undefined;
}

/**
 * Changes what is given: a new password ends every token of the user, who is shut out at once when disabled.
 *
 * @throws ServiceError conflict, invalid, not-found, forbidden
 */
export async function changeUserAs(
  trx: Database,
  administrator: Administrator,
  { id, change }: { readonly id: string; readonly change: UserChange },
): Promise<ManagedUser> {
  let user = await getUserBelow(trx, administrator, id);
  const { name, description, email, enabled, passwordHash } = change;
  if (name !== undefined && name !== user.name) user = await renameUser(trx, id, name);
  if (description !== undefined || email !== undefined) {
    user = await describeUser(trx, user, { description, email });
  }
  if (enabled !== undefined) user = await enableUser(trx, administrator, { user, enabled });
  if (passwordHash !== undefined) user = await updateUserPassword(trx, id, passwordHash);
  const { defaultProjectId: projectId } = change;
  return await changeDefaultProject(trx, administrator, { user, projectId });
}

async function enableUser(
  trx: Database,
  { accountDomainId }: Administrator,
  { user, enabled }: { readonly user: User; readonly enabled: boolean },
): Promise<User> {
  if (enabled === (user.status === 'enabled')) return user;
  if (user.status === 'suspended' && accountDomainId !== undefined) {
    throw refused('only the operator lets a suspended user work again');
  }
  return await updateUserStatus(trx, user.id, enabled ? 'enabled' : 'disabled');
}

/** With its access keys and roles; its tokens end. @throws ServiceError not-found, forbidden */
export async function deleteUserAs(
  trx: Database,
  administrator: Administrator,
  id: string,
): Promise<void> {
  await getUserBelow(trx, administrator, id);
  await deleteUser(trx, id);
}

/**
 * Whoever may set the password of a user can act as that user: an administrator of an account domain must gain no role by it
 * that is not theirs to give.
 *
 * @throws ServiceError not-found, forbidden
 */
export async function getUserBelow(
  db: Database,
  administrator: Administrator,
  id: string,
): Promise<User> {
  const user = await getManagedUser(db, administrator, id);
  if (administrator.accountDomainId === undefined) return user;
  const higher = higherRoles(await listRoleNamesOf(db, id), administrator.rules.grantableRoles);
  if (higher.length === 0) return user;
  throw refused(`the user holds roles that only the operator gives: ${higher.join(', ')}`);
}
