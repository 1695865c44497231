import type { Database } from '@zonewright/database';
import type { AccountStatus } from './account-domains.js';
import type { Account } from './account.js';

/** Reference of a request to an account domain (version 3 only). */
export type DomainReference = { readonly id: string } | { readonly name: string };

/** Reference to a user. A name is sufficient, since names are unique across all domains. */
export type UserReference =
  | { readonly id: string }
  | { readonly name: string; readonly domain?: DomainReference };

/** Account with its password hash, which only authentication may see. */
export interface AccountWithPassword {
  readonly account: Account;
  /** Null if the user has only access keys. */
  readonly passwordHash: string | null;
}

/** Column names are unique among all tables, so that one query can return several kinds of rows. */
export interface AccountRow {
  account_id: string;
  account_name: string;
  account_status: AccountStatus;
  tokens_valid_after: Date | null;
  credential_generation: number;
  domain_id: string;
  domain_name: string;
  domain_status: AccountStatus;
  domain_status_code: number | null;
  assignments: {
    role_id: string;
    role_name: string;
    service_id: string | null;
    tenant_id: string | null;
  }[];
}

/** Columns of a query from ACCOUNT_TABLES. */
export const ACCOUNT_COLUMNS = `
    users.id as account_id, users.name as account_name, users.status as account_status,
    users.tokens_valid_after, users.credential_generation,
    domains.id as domain_id, domains.name as domain_name, domains.status as domain_status,
    domains.status_code as domain_status_code,
    (select coalesce(json_agg(json_build_object('role_id', roles.id, 'role_name', roles.name,
         'service_id', roles.service_id, 'tenant_id', assignments.tenant_id)
         order by assignments.tenant_id nulls first, roles.name), '[]'::json)
       from identity.role_assignments as assignments
       join identity.roles as roles on roles.id = assignments.role_id
      where assignments.user_id = users.id) as assignments`;

export const ACCOUNT_TABLES = `
  identity.users as users
  join identity.account_domains as domains on domains.id = users.account_domain_id`;

export async function findAccountById(db: Database, id: string): Promise<Account | undefined> {
  return (await selectAccount(db, 'users.id = ?', [id]))?.account;
}

/**
 * Finds an account by id or name. Names are unique across all domains, so the account may belong to a domain other than
 * the given one: see `isReferredTo`.
 */
export async function findAccountByReference(
  db: Database,
  reference: UserReference,
): Promise<AccountWithPassword | undefined> {
  return 'id' in reference
    ? await selectAccount(db, 'users.id = ?', [reference.id])
    : await selectAccount(db, 'users.name = ?', [reference.name]);
}

/** Whether the account belongs to the domain of the reference, if the reference contains one. */
export function isReferredTo({ domain }: Account, reference: UserReference): boolean {
  if ('id' in reference || reference.domain === undefined) return true;
  return 'id' in reference.domain
    ? reference.domain.id === domain.id
    : reference.domain.name === domain.name;
}

/** Makes changes that end all tokens of the user wait until this transaction ends. */
export async function lockUserShared(trx: Database, id: string): Promise<void> {
  await trx.raw('select from identity.users as u where u.id = ? for key share', [id]);
}

/** Returns the current generation. Undefined if there is no such user. */
export async function findCredentialGeneration(
  db: Database,
  userId: string,
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { generation: number }[] }>(
    `select users.credential_generation as generation from identity.users as users where users.id = ?`,
    [userId],
  );
  return rows[0]?.generation;
}

async function selectAccount(
  db: Database,
  condition: string,
  bindings: readonly string[],
): Promise<AccountWithPassword | undefined> {
  const { rows } = await db.raw<{ rows: (AccountRow & { password_hash: string | null })[] }>(
    `select users.password_hash, ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where ${condition}`,
    [...bindings],
  );
  const [row] = rows;
  return row && { account: toAccount(row), passwordHash: row.password_hash };
}

export function toAccount(row: AccountRow): Account {
  return {
    id: row.account_id,
    name: row.account_name,
    status: row.account_status,
    domain: {
      id: row.domain_id,
      name: row.domain_name,
      status: row.domain_status,
      statusCode: row.domain_status_code,
    },
    tokensValidAfter: row.tokens_valid_after ?? undefined,
    credentialGeneration: row.credential_generation,
    assignments: row.assignments.map((assignment) => ({
      role: {
        id: assignment.role_id,
        name: assignment.role_name,
        serviceId: assignment.service_id ?? undefined,
      },
      tenantId: assignment.tenant_id ?? undefined,
    })),
  };
}
