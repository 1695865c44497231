import { isInNetworks } from '@zonewright/service-kit';
import type { Restriction } from '../../restrictions/restriction-store.js';
import { listAllTenantsOfUser, type TenantReference } from '../../tenants/tenant-store.js';
import type { Tenant } from '../../tenants/tenant.js';
import { type Account, isBlocked } from '../../users/account.js';
import type { Credentials } from '../credentials/credentials.js';
import type { VerifiedKey } from '../credentials/credential-verifier.js';
import type { TokenServices } from '../services/token-services.js';
import { mayUse } from '../validation/resolved-token.js';
import type { Admission } from './admission.js';

interface Wanted {
  readonly credentials: Credentials;
  readonly scope: TenantReference | undefined;
  readonly source: string;
}

/** Credentials that are right, and the tenant that the scope names if there is such a one. */
interface Shown {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly accessKey: VerifiedKey | undefined;
}

type Services = Pick<TokenServices, 'db' | 'directory'>;

/** Whom right credentials let in, and for which tenant; undefined: nobody. */
export async function bindScope(
  services: Services,
  { account, tenant, accessKey }: Shown,
  wanted: Wanted,
): Promise<Admission | undefined> {
  if (isBlocked(account)) return undefined;
  const restriction = accessKey?.restriction;
  if (restriction !== undefined) {
    const own = await findOwnTenant(services, restriction, { tenant, wanted });
    return mayUse(account, own) ? { account, tenant: own, accessKey } : undefined;
  }
  if (wanted.scope !== undefined) {
    return mayUse(account, tenant) ? { account, tenant, accessKey } : undefined;
  }
  if (wanted.credentials.method !== 'application_credential') {
    return { account, tenant: undefined, accessKey };
  }
  const only = await findOnlyTenant(services, account);
  return mayUse(account, only) ? { account, tenant: only, accessKey } : undefined;
}

/** The tenant that a restricted key is for; undefined: it may not be used like that. */
async function findOwnTenant(
  { directory }: Services,
  { tenantId, networks }: Restriction,
  { tenant, wanted }: { readonly tenant: Tenant | undefined; readonly wanted: Wanted },
): Promise<Tenant | undefined> {
  const isForOther = wanted.scope !== undefined && tenant?.id !== tenantId;
  if (isForOther || !isInNetworks(wanted.source, networks)) return undefined;
  return await directory.findTenant(tenantId);
}

/** Who shows an application credential names no project: it is for one. */
async function findOnlyTenant({ db }: Services, { id }: Account) {
  const tenants = await listAllTenantsOfUser(db, id);
  return tenants.length === 1 ? tenants[0] : undefined;
}
