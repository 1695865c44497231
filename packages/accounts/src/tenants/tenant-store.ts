import { type Database, queryReturning, queryRows } from '@zonewright/database';
import { nameCondition, type NameFilter } from '../shared/names.js';
import type { DomainReference } from '../users/account-store.js';

/** Tenant, also called a project (Identity s1). */
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

/** Properties of a tenant that an operator can change at any time. */
export type TenantDescription = Pick<Tenant, 'name' | 'displayName' | 'description'>;

/** Reference to the tenant that a token is scoped to. */
export type TenantReference =
  | { readonly id: string }
  | { readonly name: string; readonly domain?: DomainReference }
  /** X-Auth-User can contain an id or a name; an id takes precedence. */
  | { readonly idOrName: string };

/** Column names are unique among all tables, so that one query can return several kinds of rows. */
export interface TenantRow {
  tenant_id: string;
  tenant_name: string;
  tenant_display_name: string | null;
  tenant_description: string | null;
  tenant_enabled: boolean;
  tenant_domain_id: string;
  tenant_domain_name: string;
  tenant_created_at: Date;
  tenant_updated_at: Date;
}

/** Columns of a query from TENANT_TABLES. */
export const TENANT_COLUMNS = `
    tenants.id as tenant_id, tenants.name as tenant_name, tenants.display_name as tenant_display_name,
    tenants.description as tenant_description, tenants.enabled as tenant_enabled,
    tenant_domains.id as tenant_domain_id, tenant_domains.name as tenant_domain_name,
    tenants.created_at as tenant_created_at, tenants.updated_at as tenant_updated_at`;

export const TENANT_TABLES = `
  identity.tenants as tenants
  join identity.account_domains as tenant_domains on tenant_domains.id = tenants.account_domain_id`;

/** Condition that a user holds a role on the tenant. */
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

/** Lists the tenants of an account domain, or all tenants. */
export async function listTenants(
  db: Database,
  accountDomainId: string | undefined,
): Promise<Tenant[]> {
  const ofDomain = accountDomainId === undefined ? '' : 'where tenants.account_domain_id = ?';
  const bindings = accountDomainId === undefined ? [] : [accountDomainId];
  return await selectTenants(db, `${ofDomain} order by tenants.name`, bindings);
}

/** Filter and page of tenants, by id. */
export interface TenantPage {
  readonly accountDomainId: string | undefined;
  readonly names: NameFilter;
  readonly enabled: boolean | undefined;
  readonly tags?: TagFilter;
  /** Selects tenants for which this service is active. */
  readonly serviceId?: string;
  /** Id of the last tenant of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Tags that a tenant must or must not have. */
interface TagFilter {
  readonly all: readonly string[] | undefined;
  readonly any: readonly string[] | undefined;
  readonly notAll: readonly string[] | undefined;
  readonly notAny: readonly string[] | undefined;
}

const TAGS =
  'array(select t.tag from identity.project_tags as t where t.tenant_id = tenants.id)::text[]';

/** Returns the conditions for the given filters. */
function tagConditions({ all, any, notAll, notAny }: TagFilter): [string, string][] {
  const given: [string, readonly string[] | undefined][] = [
    [`${TAGS} @> ?::text[]`, all],
    [`${TAGS} && ?::text[]`, any],
    [`not ${TAGS} @> ?::text[]`, notAll],
    [`not ${TAGS} && ?::text[]`, notAny],
  ];
  return given.flatMap(([condition, tags]): [string, string][] =>
    tags === undefined ? [] : [[condition, toArrayText(tags)]],
  );
}

/** Returns the text form of an array for PostgreSQL. */
function toArrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`;
}

export async function listTenantPage(db: Database, page: TenantPage): Promise<Tenant[]> {
  const { accountDomainId = null, enabled = null, after = null, serviceId = null, limit } = page;
  const named = nameCondition('tenants.name', page.names);
  const tagged = page.tags === undefined ? [] : tagConditions(page.tags);
  return await selectTenants(
    db,
    `where (?::text is null or tenants.account_domain_id = ?)
       and (?::boolean is null or tenants.enabled = ?) and (?::text is null or tenants.id > ?)
       and (?::text is null or exists (select from identity.tenant_services as a
                                        where a.tenant_id = tenants.id and a.service_id = ?))${named.sql}
       ${tagged.map(([condition]) => `and ${condition}`).join(' ')}
     order by tenants.id limit ?`,
    [
      ...[accountDomainId, accountDomainId, enabled, enabled, after, after],
      ...[serviceId, serviceId, ...named.bindings],
      ...tagged.map(([, tags]) => tags),
      limit,
    ],
  );
}

export async function countTenants(db: Database, accountDomainId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    db,
    'select count(*)::integer as count from identity.tenants as t where t.account_domain_id = ?',
    [accountDomainId],
  );
  return count;
}

export async function tenantHasZones(db: Database, id: string): Promise<boolean> {
  const { hasZones } = await queryReturning<{ hasZones: boolean }>(
    db,
    'select identity.tenant_has_zones(?) as "hasZones"',
    [id],
  );
  return hasZones;
}

/** Deletes the tenant with its role assignments and activated services. */
export async function deleteTenant(db: Database, id: string): Promise<void> {
  await db.raw('delete from identity.tenants as t where t.id = ?', [id]);
}

/** Returns a page of a user's tenants by id, starting after `after`. */
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

export async function insertTenant(
  db: Database,
  tenant: TenantDescription & Pick<Tenant, 'id' | 'accountDomainId'>,
): Promise<Tenant> {
  return await changeTenant(
    db,
    `insert into identity.tenants as changed (id, account_domain_id, name, display_name, description)
     values (?, ?, ?, ?, ?)`,
    [tenant.id, tenant.accountDomainId, tenant.name, tenant.displayName, tenant.description],
  );
}

export async function updateTenantEnabled(
  db: Database,
  id: string,
  enabled: boolean,
): Promise<Tenant> {
  return await changeTenant(
    db,
    'update identity.tenants as changed set enabled = ?, updated_at = now() where changed.id = ?',
    [enabled, id],
  );
}

export async function updateTenantDescription(
  db: Database,
  id: string,
  change: TenantDescription,
): Promise<Tenant> {
  return await changeTenant(
    db,
    `update identity.tenants as changed set name = ?, display_name = ?, description = ?, updated_at = now()
      where changed.id = ?`,
    [change.name, change.displayName, change.description, id],
  );
}

const CHANGED_COLUMNS = `changed.id, changed.account_domain_id, changed.name, changed.display_name, changed.description,
  changed.enabled, changed.created_at, changed.updated_at`;

async function changeTenant(
  db: Database,
  statement: string,
  bindings: readonly (string | boolean | null)[],
): Promise<Tenant> {
  const row = await queryReturning<TenantRow>(
    db,
    `with tenants as (${statement} returning ${CHANGED_COLUMNS})
     select ${TENANT_COLUMNS} from tenants
       join identity.account_domains as tenant_domains on tenant_domains.id = tenants.account_domain_id`,
    bindings,
  );
  return toTenant(row);
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
    ? ['tenants.name = ? and tenant_domains.id = ?', [name, domain.id]]
    : ['tenants.name = ? and tenant_domains.name = ?', [name, domain.name]];
}

async function selectTenants(
  db: Database,
  rest: string,
  bindings: readonly (string | number | boolean | null)[],
): Promise<Tenant[]> {
  const rows = await queryRows<TenantRow>(
    db,
    `select ${TENANT_COLUMNS} from ${TENANT_TABLES} ${rest}`,
    bindings,
  );
  return rows.map(toTenant);
}

export function toTenant(row: TenantRow): Tenant {
  return {
    id: row.tenant_id,
    accountDomainId: row.tenant_domain_id,
    accountDomainName: row.tenant_domain_name,
    name: row.tenant_name,
    displayName: row.tenant_display_name,
    description: row.tenant_description,
    enabled: row.tenant_enabled,
    createdAt: row.tenant_created_at,
    updatedAt: row.tenant_updated_at,
  };
}
