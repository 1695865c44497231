import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import type { AccountStatus } from './account-domains.js';
import { nameCondition, type NameFilter } from '../shared/names.js';

export interface User {
  readonly id: string;
  readonly accountDomainId: string;
  readonly accountDomainName: string;
  readonly name: string;
  readonly status: AccountStatus;
  readonly description: string | null;
  readonly email: string | null;
  /** False if the user has only access keys. */
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const DOMAIN_NAME =
  '(select d.name from identity.account_domains as d where d.id = u.account_domain_id)';
const COLUMNS = `u.id, u.account_domain_id as "accountDomainId", ${DOMAIN_NAME} as "accountDomainName",
  u.name, u.status, u.description, u.email,
  (u.password_hash is not null) as "hasPassword", u.created_at as "createdAt", u.updated_at as "updatedAt"`;

export async function insertUser(
  db: Database,
  user: Pick<User, 'id' | 'accountDomainId' | 'name'> & { readonly passwordHash: string | null },
): Promise<User> {
  return await queryReturning<User>(
    db,
    `insert into identity.users as u (id, account_domain_id, name, password_hash)
     values (?, ?, ?, ?) returning ${COLUMNS}`,
    [user.id, user.accountDomainId, user.name, user.passwordHash],
  );
}

/** Finds a user by id, or else by name. */
export async function findUser(db: Database, reference: string): Promise<User | undefined> {
  return await queryRow<User>(
    db,
    `select ${COLUMNS} from identity.users as u
      where u.id = ? or u.name = ? order by (u.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function listUsers(
  db: Database,
  accountDomainId: string | undefined,
): Promise<User[]> {
  return await queryRows<User>(
    db,
    `select ${COLUMNS} from identity.users as u
      where ?::text is null or u.account_domain_id = ?
      order by u.name`,
    [accountDomainId ?? null, accountDomainId ?? null],
  );
}

/** Filter and page of users, by id. */
export interface UserPage {
  readonly accountDomainId: string | undefined;
  readonly names: NameFilter;
  readonly enabled: boolean | undefined;
  /** Id of the last user of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

export async function listUserPage(db: Database, page: UserPage): Promise<User[]> {
  const { accountDomainId = null, enabled = null, after = null, limit } = page;
  const named = nameCondition('u.name', page.names);
  return await queryRows<User>(
    db,
    `select ${COLUMNS} from identity.users as u
      where (?::text is null or u.account_domain_id = ?)
        and (?::boolean is null or (u.status = 'enabled') = ?) and (?::text is null or u.id > ?)${named.sql}
      order by u.id limit ?`,
    [accountDomainId, accountDomainId, enabled, enabled, after, after, ...named.bindings, limit],
  );
}

export async function findUserById(db: Database, id: string): Promise<User | undefined> {
  return await queryRow<User>(db, `select ${COLUMNS} from identity.users as u where u.id = ?`, [
    id,
  ]);
}

export async function countUsers(db: Database, accountDomainId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    db,
    'select count(*)::integer as count from identity.users as u where u.account_domain_id = ?',
    [accountDomainId],
  );
  return count;
}

export async function updateUserName(db: Database, id: string, name: string): Promise<User> {
  return await queryReturning<User>(
    db,
    `update identity.users as u set name = ?, updated_at = now() where u.id = ? returning ${COLUMNS}`,
    [name, id],
  );
}

export async function updateUserDescription(
  db: Database,
  id: string,
  { description, email }: Pick<User, 'description' | 'email'>,
): Promise<User> {
  return await queryReturning<User>(
    db,
    `update identity.users as u set description = ?, email = ?, updated_at = now()
      where u.id = ? returning ${COLUMNS}`,
    [description, email, id],
  );
}

/** Deletes the user with its access keys and role assignments. */
export async function deleteUser(db: Database, id: string): Promise<void> {
  await db.raw('delete from identity.users as u where u.id = ?', [id]);
}

export async function updateUserStatus(
  db: Database,
  id: string,
  status: AccountStatus,
): Promise<User> {
  return await queryReturning<User>(
    db,
    `update identity.users as u set status = ?, updated_at = now() where u.id = ? returning ${COLUMNS}`,
    [status, id],
  );
}

/** Ends all tokens of the user: triggers begin a new generation of credentials. */
export async function updateTokensValidAfter(db: Database, id: string): Promise<User> {
  return await queryReturning<User>(
    db,
    `update identity.users as u set tokens_valid_after = now(), updated_at = now()
      where u.id = ? returning ${COLUMNS}`,
    [id],
  );
}

/** Sets the password. Tokens issued with the old one end. */
export async function updateUserPassword(
  db: Database,
  id: string,
  passwordHash: string,
): Promise<User> {
  return await queryReturning<User>(
    db,
    `update identity.users as u set password_hash = ?, tokens_valid_after = now(), updated_at = now()
      where u.id = ? returning ${COLUMNS}`,
    [passwordHash, id],
  );
}

/** Sets the password unless it has changed from `from` in the meantime. @returns whether it was set */
export async function replaceUserPassword(
  db: Database,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const row = await queryRow(
    db,
    `update identity.users as u set password_hash = ?, tokens_valid_after = now(), updated_at = now()
      where u.id = ? and u.password_hash = ? returning u.id`,
    [to, id, from],
  );
  return row !== undefined;
}

/** Lists enabled users who may validate any token, with any scope of their role. */
export async function listServiceUsers(db: Database): Promise<{ id: string; name: string }[]> {
  return await queryRows(
    db,
    `select u.id, u.name from identity.users as u
       join identity.role_assignments as a on a.user_id = u.id and a.tenant_id is null
       join identity.roles as r on r.id = a.role_id and r.name = 'service'
       join identity.account_domains as d on d.id = u.account_domain_id
      where u.status = 'enabled' and d.status = 'enabled' order by u.name`,
  );
}
