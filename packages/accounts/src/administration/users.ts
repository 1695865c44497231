import { type Database, queryRows } from '@zonewright/database';
import { listRoleNamesOf } from '../roles/role-assignments.js';
import { higherRoles } from '../roles/roles.js';
import { notFound } from '../shared/problems.js';
import { getAccountDomain } from '../users/account-domains.js';
import type { Account } from '../users/account.js';
import {
  countUsers,
  deleteUser,
  findUserById,
  listUserPage,
  updateUserPassword,
  updateUserStatus,
  type User,
  type UserPage,
} from '../users/user-store.js';
import { addUser, describeUser, renameUser } from '../users/users.js';
import {
  type AdministrationRules,
  type Administrator,
  findAdministrator,
  getAdministrator,
  narrow,
  refused,
  requireRoom,
  requireWithin,
} from './administrator.js';
import { changeExtra, type Extra, listExtras } from './extra.js';
import { getManagedTenant } from './tenants.js';

/** Returns a page of the users that an administrator manages, by id. */
export async function listUsersAs(
  db: Database,
  administrator: Administrator,
  page: UserPage,
): Promise<ManagedUser[]> {
  const accountDomainId = narrow(administrator, page.accountDomainId);
  if (accountDomainId === null) return [];
  return await withDetails(db, await listUserPage(db, { ...page, accountDomainId }));
}

/** Returns the caller, or a user that the caller manages. @throws ServiceError not-found, forbidden */
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
  return await withDetail(db, user);
}

/** Returns a user that the administrator manages. @throws ServiceError not-found */
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
  /** The account domain; the default is the administrator's own. */
  readonly accountDomainId: string | undefined;
  readonly passwordHash: string | null;
  readonly description: string | undefined;
  readonly email: string | undefined;
  readonly defaultProjectId: string | undefined;
  readonly extra: Extra | undefined;
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
  await changeExtra(trx, 'users', user.id, input.extra);
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
  readonly extra: Extra | undefined;
}

/**
 * Changes the given members. A new password ends all tokens of the user. Disabling blocks the user at once.
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
  await changeExtra(trx, 'users', id, change.extra);
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
    throw refused('only the operator can enable a suspended user');
  }
  return await updateUserStatus(trx, user.id, enabled ? 'enabled' : 'disabled');
}

/** Deletes the user with its access keys and roles, which ends its tokens. @throws ServiceError not-found, forbidden */
export async function deleteUserAs(
  trx: Database,
  administrator: Administrator,
  id: string,
): Promise<void> {
  await getUserBelow(trx, administrator, id);
  await deleteUser(trx, id);
}

/**
 * Returns a user whose password the administrator may set. With the password, the administrator could act as the user.
 * An administrator of an account domain must therefore not set it for a user with roles that only the operator grants.
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
  throw refused(`the user has roles that only the operator can grant: ${higher.join(', ')}`);
}

/** User in the view of its administrators. */
export interface ManagedUser extends User {
  readonly extra: Extra;
  /** Project that clients use by default. It has no effect on tokens without a scope. */
  readonly defaultProjectId: string | null;
}

async function withDetails(db: Database, users: readonly User[]): Promise<ManagedUser[]> {
  const ids = users.map(({ id }) => id);
  const projects = await listDefaultProjects(db, ids);
  const extras = await listExtras(db, 'users', ids);
  return users.map((user) => ({
    ...user,
    defaultProjectId: projects.get(user.id) ?? null,
    extra: extras.get(user.id) ?? {},
  }));
}

/**
 * @param projectId undefined if it is not changed; an empty text removes it
 * @throws ServiceError not-found for a project that the administrator does not manage
 */
async function changeDefaultProject(
  trx: Database,
  administrator: Administrator,
  { user, projectId }: { readonly user: User; readonly projectId: string | undefined },
): Promise<ManagedUser> {
  if (projectId === '') {
    await deleteDefaultProject(trx, user.id);
  } else if (projectId !== undefined) {
    await getManagedTenant(trx, administrator, projectId);
    await upsertDefaultProject(trx, user.id, projectId);
  }
  return await withDetail(trx, user);
}

async function withDetail(db: Database, user: User): Promise<ManagedUser> {
  const [managed] = await withDetails(db, [user]);
  return managed ?? { ...user, defaultProjectId: null, extra: {} };
}

/** Returns the default projects of these users. Users without one are missing from the map. */
async function listDefaultProjects(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await queryRows<{ userId: string; tenantId: string }>(
    db,
    `select p.user_id as "userId", p.tenant_id as "tenantId" from identity.default_projects as p
      where p.user_id = any(?::text[])`,
    [userIds],
  );
  return new Map(rows.map(({ userId, tenantId }) => [userId, tenantId]));
}

async function upsertDefaultProject(
  trx: Database,
  userId: string,
  tenantId: string,
): Promise<void> {
  await queryRows(
    trx,
    `insert into identity.default_projects (user_id, tenant_id) values (?, ?)
     on conflict (user_id) do update set tenant_id = excluded.tenant_id`,
    [userId, tenantId],
  );
}

async function deleteDefaultProject(trx: Database, userId: string): Promise<void> {
  await trx.raw('delete from identity.default_projects as p where p.user_id = ?', [userId]);
}
