import type { Database } from '@zonewright/database';
import type { DomainReference } from '../accounts/account-store.js';
import type { Tenant } from './tenant.js';

/** How a request names the tenant that a token shall be scoped to. */
export type TenantReference =
  | { readonly id: string }
  | { readonly name: string; readonly domain?: DomainReference }
  /** X-Auth-User does not say which of the two it gives; an id wins. */
  | { readonly idOrName: string };

interface TenantRow {
  id: string;
  name: string;
  display_name: string | null;
  description: string | null;
  enabled: boolean;
  domain_id: string;
  domain_name: string;
  created_at: Date;
  updated_at: Date;
}

const SELECT_TENANT = `
  select tenants.id, tenants.name, tenants.display_name, tenants.description, tenants.enabled,
    domains.id as domain_id, domains.name as domain_name, tenants.created_at, tenants.updated_at
  from identity.tenants as tenants
  join identity.account_domains as domains on domains.id = tenants.account_domain_id`;

/** The tenants on which a user holds a role. */
const OF_USER = `
  exists (select from identity.role_assignments as assignments
           where assignments.user_id = ? and assignments.tenant_id = tenants.id)`;

export async function findTenant(
  db: Database,
  reference: TenantReference,
): Promise<Tenant | undefined> {
  const [condition, bindings] = conditionOf(reference);
  const [tenant] = await selectTenants(db, `where ${condition} limit 1`, bindings);
  return tenant;
}

/** A page of a user's tenants, by id, after the one named by `after`. */
export async function listTenantsOfUser(
  db: Database,
  userId: string,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<Tenant[]> {
  const { after = '', limit } = page;
  return await selectTenants(
    db,
    `where ${OF_USER} and tenants.id > ? order by tenants.id limit ?`,
    [userId, after, limit],
  );
}

export async function listAllTenantsOfUser(db: Database, userId: string): Promise<Tenant[]> {
  return await selectTenants(db, `where ${OF_USER} order by tenants.id`, [userId]);
}

export async function findTenantOfUserById(
  db: Database,
  userId: string,
  id: string,
): Promise<Tenant | undefined> {
  const [tenant] = await selectTenants(db, `where ${OF_USER} and tenants.id = ?`, [userId, id]);
  return tenant;
}

export async function findTenantOfUserByName(
  db: Database,
  userId: string,
  name: string,
): Promise<Tenant | undefined> {
  const [tenant] = await selectTenants(db, `where ${OF_USER} and tenants.name = ?`, [userId, name]);
  return tenant;
}

function conditionOf(reference: TenantReference): [string, string[]] {
  if ('id' in reference) return ['tenants.id = ?', [reference.id]];
  if ('idOrName' in reference) {
    const { idOrName } = reference;
    return [
      'tenants.id = ? or tenants.name = ? order by (tenants.id = ?) desc',
      [idOrName, idOrName, idOrName],
    ];
  }
  const { name, domain } = reference;
  if (domain === undefined) return ['tenants.name = ?', [name]];
  return 'id' in domain
    ? ['tenants.name = ? and domains.id = ?', [name, domain.id]]
    : ['tenants.name = ? and domains.name = ?', [name, domain.name]];
}

async function selectTenants(
  db: Database,
  rest: string,
  bindings: readonly (string | number)[],
): Promise<Tenant[]> {
  const { rows } = await db.raw<{ rows: TenantRow[] }>(`${SELECT_TENANT} ${rest}`, [...bindings]);
  return rows.map(fromRow);
}

function fromRow(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name ?? undefined,
    description: row.description ?? undefined,
    enabled: row.enabled,
    domain: { id: row.domain_id, name: row.domain_name },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
