import { type Database, queryRows, type SealedSecret } from '@zonewright/database';
import type { RestrictionContent } from '../access-keys/restriction.js';
import type { AccessKeyPart, RoleAssignmentPart, TenantPart, UserPart } from './account-parts.js';

/** Timestamp of a document, with microseconds, by which lists are sorted. */
const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export type UserRow = Omit<UserPart, 'passwordHash'> & { readonly hash: string | null };

export async function listUserParts(db: Database, accountDomainId: string): Promise<UserRow[]> {
  return await queryRows(
    db,
    `select u.id, u.name, u.status, u.password_hash as hash, ${time('u.tokens_valid_after')} as "tokensValidAfter",
            ${time('u.created_at')} as "createdAt"
       from identity.users as u where u.account_domain_id = ? order by u.id`,
    [accountDomainId],
  );
}

export async function listTenantParts(
  db: Database,
  accountDomainId: string,
): Promise<TenantPart[]> {
  return await queryRows(
    db,
    `select t.id, t.name, t.display_name as "displayName", t.description, t.enabled,
            array(select s.name from identity.tenant_services as a join identity.services as s on s.id = a.service_id
                   where a.tenant_id = t.id order by s.name) as services,
            ${time('t.created_at')} as "createdAt"
       from identity.tenants as t where t.account_domain_id = ? order by t.id`,
    [accountDomainId],
  );
}

/** Lists the role assignments of the account's users, on its own tenants or on the account domain. */
export async function listRoleAssignmentParts(
  db: Database,
  accountDomainId: string,
): Promise<RoleAssignmentPart[]> {
  return await queryRows(
    db,
    `select a.user_id as "user", r.name as role, a.tenant_id as tenant
       from identity.role_assignments as a
       join identity.users as u on u.id = a.user_id
       join identity.roles as r on r.id = a.role_id
       left join identity.tenants as t on t.id = a.tenant_id
      where u.account_domain_id = ? and (a.tenant_id is null or t.account_domain_id = u.account_domain_id)
      order by a.user_id, r.name, a.tenant_id`,
    [accountDomainId],
  );
}

/** Counts role assignments that an export omits: those of these users elsewhere, and those of other users here. */
export async function countOutsideAssignments(
  db: Database,
  accountDomainId: string,
): Promise<number> {
  const [row] = await queryRows<{ count: number }>(
    db,
    `select count(*) as count from identity.role_assignments as a
       join identity.users as u on u.id = a.user_id
       join identity.tenants as t on t.id = a.tenant_id
      where u.account_domain_id <> t.account_domain_id and ? in (u.account_domain_id, t.account_domain_id)`,
    [accountDomainId],
  );
  return row?.count ?? 0;
}

export type AccessKeyRow = Omit<AccessKeyPart, 'secret'> & Partial<SealedSecret>;

/** Members that most keys do not have are omitted if they are empty. */
type StoredKeyRow = Omit<AccessKeyRow, 'name' | 'description' | 'restriction'> & {
  readonly name: string | null;
  readonly description: string | null;
  readonly restriction: RestrictionContent | null;
};

export async function listAccessKeyParts(
  db: Database,
  accountDomainId: string,
): Promise<AccessKeyRow[]> {
  const rows = await queryRows<StoredKeyRow>(
    db,
    `select k.id, k.user_id as "user", k.algorithm, k.key_length as "keyLength", k.status,
            ${time('k.valid_from')} as "validFrom", ${time('k.valid_to')} as "validTo",
            ${time('k.created_at')} as "createdAt", k.name, k.description, k.restriction, k.secret_sealed as sealed, k.secret_key_id as "keyId"
       from identity.access_keys as k join identity.users as u on u.id = k.user_id
      where u.account_domain_id = ? and k.status in ('active', 'inactive') order by k.id`,
    [accountDomainId],
  );
  return rows.map(({ name, description, restriction, ...key }) => ({
    ...key,
    ...(name === null ? {} : { name }),
    ...(description === null ? {} : { description }),
    ...(restriction === null ? {} : { restriction }),
  }));
}
