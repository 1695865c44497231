import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { notFound } from '../problems/problems.js';
import {
  countTenants,
  deleteTenant,
  findTenant,
  listTenantPage,
  type TenantPage,
  tenantHasZones,
} from '../tenants/tenant-store.js';
import { createTenant, describeTenant, setTenantEnabled } from '../tenants/tenants.js';
import type { Tenant } from '../tenants/tenant.js';
import { type Account, hasRoleOnTenant } from '../users/account.js';
import {
  type Administrator,
  type AdministrationRules,
  getAdministrator,
  narrow,
  requireRoom,
  requireWithin,
} from './administrator.js';
import { type TaggedTenant, tagTenant, withTags } from './project-tags.js';

/** A page of the tenants that an administrator manages, by id. */
export async function listTenantsAs(
  db: Database,
  administrator: Administrator,
  page: TenantPage,
): Promise<readonly TaggedTenant[]> {
  const accountDomainId = narrow(administrator, page.accountDomainId);
  if (accountDomainId === null) return [];
  return await withTags(db, await listTenantPage(db, { ...page, accountDomainId }));
}

/** One on which one holds a role, or that one manages. @throws ServiceError not-found, forbidden */
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
  /** Undefined: the administrator's own. */
  readonly accountDomainId: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly enabled: boolean;
}

/** @throws ServiceError conflict, invalid, not-found (the account domain), over-quota */
export async function createTenantAs(
  trx: Database,
  administrator: Administrator,
  { name, description, accountDomainId, tags, enabled }: NewTenant,
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
  return await tagTenant(trx, tenant, tags);
}

interface TenantChange {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[] | undefined;
  readonly enabled: boolean | undefined;
}

/** Changes what is given; tokens for a disabled one end. @throws ServiceError conflict, invalid, not-found */
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
  return await tagTenant(trx, tenant, change.tags);
}

/**
 * With the roles on it, so that tokens for it end. A zone that somebody makes at this moment stays, as with the operator's SQL:
 * a tenant of the same id, which the operator's command can make, owns it again.
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
