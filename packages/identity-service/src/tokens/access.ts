import { type Account, type RoleAssignment, rolesInScope } from '../accounts/account.js';
import { type CatalogEntry, compileCatalog } from '../catalog/catalog.js';
import type { Context } from '../context.js';
import type { Tenant } from '../tenants/tenant.js';
import type { ResolvedToken } from './resolve-token.js';
import type { AuthenticationMethod } from './token-claims.js';

/** All that an answer says about a token, in either version of the API. */
export interface Access {
  readonly tokenId: string;
  readonly method: AuthenticationMethod;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly roles: readonly RoleAssignment[];
  readonly catalog: readonly CatalogEntry[];
}

export async function describeAccess(
  { directory }: Pick<Context, 'directory'>,
  token: Pick<ResolvedToken, 'id' | 'claims' | 'account' | 'tenant'>,
): Promise<Access> {
  const { account, tenant, claims } = token;
  const roles = rolesInScope(account, tenant?.id);
  const [services, activatedServiceIds] = await Promise.all([
    directory.listServices(),
    tenant === undefined ? new Set<string>() : directory.findActivations(tenant.id),
  ]);
  return {
    tokenId: token.id,
    method: claims.method,
    issuedAt: claims.issuedAt,
    expiresAt: claims.expiresAt,
    account,
    tenant,
    roles,
    catalog: compileCatalog(services, { tenantId: tenant?.id, roles, activatedServiceIds }),
  };
}
