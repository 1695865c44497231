import { type Database, queryRows } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { invalidRequest, notFound } from '../shared/problems.js';
import {
  countTenants,
  deleteTenant,
  findTenant,
  listTenantPage,
  type Tenant,
  tenantHasZones,
  type TenantPage,
} from '../tenants/tenant-store.js';
import { createTenant, describeTenant, setTenantEnabled } from '../tenants/tenants.js';
import { type Account, hasRoleOnTenant } from '../users/account.js';
import {
  type AdministrationRules,
  type Administrator,
  getAdministrator,
  narrow,
  requireRoom,
  requireWithin,
} from './administrator.js';
import { changeExtra, type Extra, listExtras } from './extra.js';

/** Returns a page of the tenants that an administrator manages, by id. */
export async function listTenantsAs(
  db: Database,
  administrator: Administrator,
  page: TenantPage,
): Promise<readonly TaggedTenant[]> {
  const accountDomainId = narrow(administrator, page.accountDomainId);
  if (accountDomainId === null) return [];
  return await withTags(db, await listTenantPage(db, { ...page, accountDomainId }));
}

/**
 * Returns a tenant on which the caller holds a role, or that the caller manages. @throws ServiceError not-found,
 * forbidden
 */
export async function getTenantAs(
  db: Database,
  account: Account,
  { id, rules }: { readonly id: string; readonly rules: AdministrationRules },
): Promise<TaggedTenant> {
  if (!hasRoleOnTenant(account, id)) {
    return await tagTenant(db, await getManagedTenant(db, getAdministrator(account, rules), id));
  }
  const tenant = await findTenant(db, { id });
  if (tenant === undefined) throw notFound('project not found');
  return await tagTenant(db, tenant);
}

/** @throws ServiceError not-found */
export async function getManagedTenant(
  db: Database,
  administrator: Administrator,
  id: string,
): Promise<Tenant> {
  const tenant = await findTenant(db, { id });
  requireWithin(administrator, tenant?.accountDomainId, 'project');
  return tenant as Tenant;
}

interface NewTenant {
  readonly name: string;
  readonly description: string | undefined;
  /** The account domain; the default is the administrator's own. */
  readonly accountDomainId: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly extra: Extra | undefined;
  readonly enabled: boolean;
}

/** @throws ServiceError conflict, invalid, not-found (the account domain), over-quota */
export async function createTenantAs(
  trx: Database,
  administrator: Administrator,
  { name, description, accountDomainId, tags, extra, enabled }: NewTenant,
): Promise<TaggedTenant> {
  const accountDomain = accountDomainId ?? administrator.account.domain.id;
  requireWithin(administrator, accountDomain, 'account domain');
  requireRoom(administrator, {
    count: await countTenants(trx, accountDomain),
    quota: administrator.rules.accountDomainQuota,
    what: 'projects in an account domain',
  });
  const created = await createTenant(trx, { name, description, accountDomain });
  const tenant = enabled ? created : await setTenantEnabled(trx, created.id, false);
  return await tagTenant(trx, tenant, { tags, extra });
}

interface TenantChange {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly extra: Extra | undefined;
  readonly enabled: boolean | undefined;
}

/** Changes the given members. Disabling a tenant ends its tokens. @throws ServiceError conflict, invalid, not-found */
export async function changeTenantAs(
  trx: Database,
  administrator: Administrator,
  { id, change }: { readonly id: string; readonly change: TenantChange },
): Promise<TaggedTenant> {
  let tenant = await getManagedTenant(trx, administrator, id);
  const { name, description, enabled } = change;
  if (name !== undefined || description !== undefined) {
    tenant = await describeTenant(trx, id, { name, description });
  }
  if (enabled !== undefined && enabled !== tenant.enabled) {
    tenant = await setTenantEnabled(trx, id, enabled);
  }
  return await tagTenant(trx, tenant, change);
}

/**
 * Deletes the tenant and the roles on it, which ends its tokens. A zone that is created at the same moment is kept. The
 * operator can create a tenant with the same id, which then owns the zone.
 *
 * @throws ServiceError not-found, conflict while it has zones
 */
export async function deleteTenantAs(
  trx: Database,
  administrator: Administrator,
  id: string,
): Promise<void> {
  await getManagedTenant(trx, administrator, id);
  if (await tenantHasZones(trx, id)) {
    throw new ServiceError(
      'conflict',
      'the project has zones: delete them first, or disable the project',
    );
  }
  await deleteTenant(trx, id);
}

/** Limits of Keystone. */
const MAX_TAGS = 80;
const TAG = /^[^,/\0\p{Surrogate}]{1,255}$/u;

/** Tenant in the view of its administrators. */
export interface TaggedTenant extends Tenant {
  readonly tags: readonly string[];
  readonly extra: Extra;
}

export async function withTags(
  db: Database,
  tenants: readonly Tenant[],
): Promise<readonly TaggedTenant[]> {
  const ids = tenants.map(({ id }) => id);
  const tags = await listTags(db, ids);
  const extras = await listExtras(db, 'tenants', ids);
  return tenants.map((tenant) => ({
    ...tenant,
    tags: tags.get(tenant.id) ?? [],
    extra: extras.get(tenant.id) ?? {},
  }));
}

/** Stores the given tags and extra members. @throws ServiceError invalid */
async function tagTenant(
  trx: Database,
  tenant: Tenant,
  { tags, extra }: Partial<Pick<TenantChange, 'tags' | 'extra'>> = {},
): Promise<TaggedTenant> {
  if (tags !== undefined) {
    await replaceTags(trx, tenant.id, parseTags(tags));
  }
  await changeExtra(trx, 'tenants', tenant.id, extra);
  const [tagged] = await withTags(trx, [tenant]);
  return tagged ?? { ...tenant, tags: [], extra: {} };
}

/** @throws ServiceError invalid */
function parseTags(tags: readonly string[]): readonly string[] {
  const wanted = [...new Set(tags)];
  const wrong = wanted.find((tag) => !TAG.test(tag));
  if (wrong !== undefined || wanted.length > MAX_TAGS) {
    throw invalidRequest(
      `at most ${MAX_TAGS} tags are allowed, each of 1 to 255 characters without comma and slash`,
    );
  }
  return wanted;
}

/** Returns the tags of these tenants in alphabetical order. Tenants without tags are missing from the map. */
async function listTags(
  db: Database,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await queryRows<{ tenantId: string; tags: string[] }>(
    db,
    `select t.tenant_id as "tenantId", jsonb_agg(t.tag order by t.tag) as tags
       from identity.project_tags as t where t.tenant_id = any(?::text[]) group by t.tenant_id`,
    [tenantIds],
  );
  return new Map(rows.map(({ tenantId, tags }) => [tenantId, tags]));
}

async function replaceTags(
  trx: Database,
  tenantId: string,
  tags: readonly string[],
): Promise<void> {
  await trx.raw('delete from identity.project_tags as t where t.tenant_id = ?', [tenantId]);
  if (tags.length === 0) return;
  await queryRows(
    trx,
    `insert into identity.project_tags (tenant_id, tag)
     select ?, g.tag from unnest(?::text[]) as g (tag)`,
    [tenantId, tags],
  );
}
