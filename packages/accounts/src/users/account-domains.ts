import {
  type Database,
  orConflict,
  queryReturning,
  queryRow,
  queryRows,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { chooseId, parseName } from '../shared/names.js';

/**
 * Account domain of users and tenants that are created without one. It has the id that Keystone uses, so that version 3
 * clients find it with their default settings.
 */
export const DEFAULT_ACCOUNT_DOMAIN = { id: 'default', name: 'Default' } as const;

/** @throws ServiceError conflict, invalid */
export async function createAccountDomain(
  db: Database,
  input: { readonly name: string; readonly id?: string | undefined },
): Promise<AccountDomain> {
  const domain = { id: chooseId(input.id), name: parseName('the name', input.name) };
  return await orConflict(insertAccountDomain(db, domain), {
    account_domains_pkey: `an account domain with the id "${domain.id}" already exists`,
    account_domains_name_unique: `an account domain named "${domain.name}" already exists`,
  });
}

/** Returns an account domain by id or name. @throws ServiceError not-found */
export async function getAccountDomain(db: Database, reference: string): Promise<AccountDomain> {
  const domain = await findAccountDomain(db, reference);
  if (domain === undefined) {
    throw new ServiceError('not-found', `no account domain has the id or name "${reference}"`);
  }
  return domain;
}

/**
 * Sets the status of the account domain. If it is disabled or suspended, its users have no rights.
 *
 * @throws ServiceError not-found
 */
export async function setAccountDomainStatus(
  db: Database,
  reference: string,
  change: { readonly status: AccountStatus; readonly statusCode?: number | undefined },
): Promise<AccountDomain> {
  const { id } = await getAccountDomain(db, reference);
  return await updateAccountDomainStatus(db, id, change.status, change.statusCode ?? null);
}

/** Whether a user or an account domain may be used (Identity s5.6). */
export type AccountStatus = 'enabled' | 'suspended' | 'disabled';

/** Account to which users and tenants belong. The identity API calls it a domain. */
export interface AccountDomain {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Number in "suspended:<n>", which users have as their domainStatus. */
  readonly statusCode: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `d.id, d.name, d.status, d.status_code as "statusCode",
  d.created_at as "createdAt", d.updated_at as "updatedAt"`;

async function insertAccountDomain(
  db: Database,
  domain: { readonly id: string; readonly name: string },
): Promise<AccountDomain> {
  return await queryReturning<AccountDomain>(
    db,
    `insert into identity.account_domains as d (id, name) values (?, ?) returning ${COLUMNS}`,
    [domain.id, domain.name],
  );
}

/** Finds an account domain by id, or else by name. */
export async function findAccountDomain(
  db: Database,
  reference: string,
): Promise<AccountDomain | undefined> {
  return await queryRow<AccountDomain>(
    db,
    `select ${COLUMNS} from identity.account_domains as d
      where d.id = ? or d.name = ? order by (d.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function listAccountDomains(db: Database): Promise<AccountDomain[]> {
  return await queryRows<AccountDomain>(
    db,
    `select ${COLUMNS} from identity.account_domains as d order by d.name`,
  );
}

/** Filter and page of account domains, by id. */
export interface AccountDomainPage {
  /** Selects a single account domain. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly enabled: boolean | undefined;
  /** Id of the last account domain of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

export async function listAccountDomainPage(
  db: Database,
  page: AccountDomainPage,
): Promise<AccountDomain[]> {
  const { id = null, name = null, enabled = null, after = null, limit } = page;
  return await queryRows<AccountDomain>(
    db,
    `select ${COLUMNS} from identity.account_domains as d
      where (?::text is null or d.id = ?) and (?::text is null or d.name = ?)
        and (?::boolean is null or (d.status = 'enabled') = ?) and (?::text is null or d.id > ?)
      order by d.id limit ?`,
    [id, id, name, name, enabled, enabled, after, after, limit],
  );
}

export async function findAccountDomainById(
  db: Database,
  id: string,
): Promise<AccountDomain | undefined> {
  return await queryRow<AccountDomain>(
    db,
    `select ${COLUMNS} from identity.account_domains as d where d.id = ?`,
    [id],
  );
}

async function updateAccountDomainStatus(
  db: Database,
  id: string,
  status: AccountStatus,
  statusCode: number | null,
): Promise<AccountDomain> {
  return await queryReturning<AccountDomain>(
    db,
    `update identity.account_domains as d set status = ?, status_code = ?, updated_at = now()
      where d.id = ? returning ${COLUMNS}`,
    [status, statusCode, id],
  );
}
