import { type Database, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { DEFAULT_ACCOUNT_DOMAIN, getAccountDomain } from '../users/account-domains.js';
import { insertInitialActivations } from './activation-store.js';
import { chooseId, parseDescription, parseName } from '../shared/names.js';
import {
  findTenant,
  insertTenant,
  type Tenant,
  type TenantDescription,
  updateTenantDescription,
  updateTenantEnabled,
} from './tenant-store.js';

interface CreateTenantInput {
  readonly name: string;
  readonly id?: string | undefined;
  /** The id or name; the default is the default account domain. */
  readonly accountDomain?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

/**
 * Creates a tenant with the services that every new tenant has.
 *
 * @throws ServiceError conflict, invalid, not-found (the account domain)
 */
export async function createTenant(db: Database, input: CreateTenantInput): Promise<Tenant> {
  const tenant = {
    id: chooseId(input.id),
    name: parseName('the name', input.name),
    displayName: input.displayName ?? null,
    description: parseDescription(input.description ?? null),
  };
  const domain = await getAccountDomain(db, input.accountDomain ?? DEFAULT_ACCOUNT_DOMAIN.id);
  return await db.transaction(async (trx) => {
    const insertion = insertTenant(trx, { ...tenant, accountDomainId: domain.id });
    const created = await orConflict(insertion, {
      tenants_pkey: `a tenant with the id "${tenant.id}" already exists`,
      ...nameConflict(tenant.name),
    });
    await insertInitialActivations(trx, created.id);
    return created;
  });
}

/** Returns a tenant by id or name. @throws ServiceError not-found */
export async function getTenant(db: Database, reference: string): Promise<Tenant> {
  const tenant = await findTenant(db, { idOrName: reference });
  if (tenant === undefined) {
    throw new ServiceError('not-found', `no tenant has the id or name "${reference}"`);
  }
  return tenant;
}

/** Sets whether tokens for the tenant are issued. @throws ServiceError not-found */
export async function setTenantEnabled(
  db: Database,
  reference: string,
  enabled: boolean,
): Promise<Tenant> {
  const { id } = await getTenant(db, reference);
  return await updateTenantEnabled(db, id, enabled);
}

/** Changes the given members. @throws ServiceError conflict, invalid, not-found */
export async function describeTenant(
  db: Database,
  reference: string,
  change: { readonly [K in keyof TenantDescription]?: TenantDescription[K] | undefined },
): Promise<Tenant> {
  const tenant = await getTenant(db, reference);
  const description = {
    name: parseName('the name', change.name ?? tenant.name),
    displayName: change.displayName === undefined ? tenant.displayName : change.displayName,
    description:
      change.description === undefined ? tenant.description : parseDescription(change.description),
  };
  return await orConflict(
    updateTenantDescription(db, tenant.id, description),
    nameConflict(description.name),
  );
}

function nameConflict(name: string): Record<string, string> {
  return { tenants_name_unique: `a tenant named "${name}" already exists` };
}
