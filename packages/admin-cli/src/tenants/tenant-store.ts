import type { Database } from '@zonewright/database';
import { queryReturning, queryRow, queryRows } from '../sql/query.js';

export interface Tenant {
  readonly id: string;
  readonly accountDomainId: string;
  readonly accountDomainName: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What an operator may change of a tenant at any time. */
export type TenantDescription = Pick<Tenant, 'name' | 'displayName' | 'description'>;

const COLUMNS = `t.id, t.account_domain_id as "accountDomainId",
  (select d.name from identity.account_domains as d where d.id = t.account_domain_id) as "accountDomainName",
  t.name, t.display_name as "displayName",
  t.description, t.enabled, t.created_at as "createdAt", t.updated_at as "updatedAt"`;

export async function insertTenant(
  db: Database,
  tenant: TenantDescription & Pick<Tenant, 'id' | 'accountDomainId'>,
): Promise<Tenant> {
  return await queryReturning<Tenant>(
    db,
    `insert into identity.tenants as t (id, account_domain_id, name, display_name, description)
     values (?, ?, ?, ?, ?) returning ${COLUMNS}`,
    [tenant.id, tenant.accountDomainId, tenant.name, tenant.displayName, tenant.description],
  );
}

/** By id, or else by name. */
export async function findTenant(db: Database, reference: string): Promise<Tenant | undefined> {
  return await queryRow<Tenant>(
    db,
    `select ${COLUMNS} from identity.tenants as t
      where t.id = ? or t.name = ? order by (t.id = ?) desc limit 1`,
    [reference, reference, reference],
  );
}

export async function listTenants(
  db: Database,
  accountDomainId: string | undefined,
): Promise<Tenant[]> {
  return await queryRows<Tenant>(
    db,
    `select ${COLUMNS} from identity.tenants as t
      where ?::text is null or t.account_domain_id = ?
      order by t.name`,
    [accountDomainId ?? null, accountDomainId ?? null],
  );
}

export async function updateTenantEnabled(
  db: Database,
  id: string,
  enabled: boolean,
): Promise<Tenant> {
  return await queryReturning<Tenant>(
    db,
    `update identity.tenants as t set enabled = ?, updated_at = now() where t.id = ? returning ${COLUMNS}`,
    [enabled, id],
  );
}

export async function updateTenantDescription(
  db: Database,
  id: string,
  change: TenantDescription,
): Promise<Tenant> {
  return await queryReturning<Tenant>(
    db,
    `update identity.tenants as t set name = ?, display_name = ?, description = ?, updated_at = now()
      where t.id = ? returning ${COLUMNS}`,
    [change.name, change.displayName, change.description, id],
  );
}
