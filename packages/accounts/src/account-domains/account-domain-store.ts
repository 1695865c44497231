import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';

/** Whether a user or an account domain may be used (Identity s5.6). */
export type AccountStatus = 'enabled' | 'suspended' | 'disabled';

/** What the identity API calls a domain: the account to which users and tenants belong. */
export interface AccountDomain {
  readonly id: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** The number in "suspended:<n>" of its users' domainStatus. */
  readonly statusCode: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `d.id, d.name, d.status, d.status_code as "statusCode",
  d.created_at as "createdAt", d.updated_at as "updatedAt"`;

export async function insertAccountDomain(
  db: Database,
  domain: { readonly id: string; readonly name: string },
): Promise<AccountDomain> {
  return await queryReturning<AccountDomain>(
    db,
    `insert into identity.account_domains as d (id, name) values (?, ?) returning ${COLUMNS}`,
    [domain.id, domain.name],
  );
}

/** By id, or else by name. */
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

/** A page of account domains, by id. */
export interface AccountDomainPage {
  /** This one alone. */
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly enabled: boolean | undefined;
  /** The id of the one before the first. */
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

/** By id alone. */
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

export async function updateAccountDomainStatus(
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
