import { isInNetworks } from '@zonewright/service-kit';
import { listAllTenantsOfUser, type TenantReference } from '../../tenants/tenant-store.js';
import type { Tenant } from '../../tenants/tenant.js';
import { type Account, isBlocked } from '../../users/account.js';
import type { Credentials } from '../credentials/credentials.js';
import type { VerifiedKey } from '../credentials/credential-verifier.js';
import type { TokenServices } from '../services/token-services.js';
import { mayUse } from '../validation/resolved-token.js';
import type { Admission } from './admit.js';

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

/** Whom right credentials let in, and for which tenant; undefined: nobody. */
export async function bindScope(
  services: Pick<TokenServices, 'db' | 'directory'>,
  { account, tenant, accessKey }: Shown,
  wanted: Wanted,
): Promise<Admission | undefined> {
  if (isBlocked(account)) return undefined;
  const restriction = accessKey?.restriction;
  const isUnscoped = wanted.scope === undefined;
  if (restriction !== undefined) {
    if (!isInNetworks(wanted.source, restriction.networks)) return undefined;
    if (!isUnscoped && tenant?.id !== restriction.tenantId) return undefined;
    const own = await services.directory.findTenant(restriction.tenantId);
    return mayUse(account, own) ? { account, tenant: own, accessKey } : undefined;
  }
  if (isUnscoped && wanted.credentials.method !== 'application_credential') {
    return { account, tenant: undefined, accessKey };
  }
  const scope = isUnscoped ? await findOnlyTenant(services, account) : tenant;
  return mayUse(account, scope) ? { account, tenant: scope, accessKey } : undefined;
}

/** Who shows an application credential names no project: it is for one. */
async function findOnlyTenant({ db }: Pick<TokenServices, 'db'>, { id }: Account) {
  const tenants = await listAllTenantsOfUser(db, id);
  return tenants.length === 1 ? tenants[0] : undefined;
}
