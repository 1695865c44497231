import { type Account, type HeldRole, rolesInScope } from '../users/account.js';
import type { CatalogEntry, CatalogService } from '../catalog/catalog.js';
import { findCatalog } from '../catalog/known-catalogs.js';
import type { Directory } from '../users/directory.js';
import type { Tenant } from '../tenants/tenant.js';
import type { ResolvedToken } from './validation/resolve-token.js';
import type { AuthenticationMethod } from './claims/token-claims.js';

/** All that an answer says about a token, in either version of the API. */
export interface Access {
  readonly tokenId: string;
  readonly method: AuthenticationMethod;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly roles: readonly HeldRole[];
  readonly catalog: readonly CatalogEntry[];
}

/** The part of a token that an answer about it is made from. */
export type DescribedToken = Pick<ResolvedToken, 'id' | 'claims' | 'account' | 'tenant'>;

/** What the catalog of a scope is made from. */
export interface CatalogFacts {
  readonly services: readonly CatalogService[];
  readonly activatedServiceIds: ReadonlySet<string>;
}

const NO_ACTIVATIONS: ReadonlySet<string> = new Set();

export async function describeAccess(
  context: { readonly directory: Directory },
  token: DescribedToken,
): Promise<Access> {
  return compileAccess(token, await findCatalogFacts(context.directory, token.tenant));
}

export async function findCatalogFacts(
  directory: Directory,
  tenant: Tenant | undefined,
): Promise<CatalogFacts> {
  const [services, activatedServiceIds] = await Promise.all([
    directory.listServices(),
    tenant === undefined ? NO_ACTIVATIONS : directory.findActivations(tenant.id),
  ]);
  return { services, activatedServiceIds };
}

/** Depends on nothing but what it is given. */
export function compileAccess(
  token: DescribedToken,
  { services, activatedServiceIds }: CatalogFacts,
): Access {
  const { account, tenant, claims } = token;
  const roles = rolesInScope(account, tenant?.id);
  return {
    tokenId: token.id,
    method: claims.method,
    issuedAt: claims.issuedAt,
    expiresAt: claims.expiresAt,
    account,
    tenant,
    roles,
    catalog: findCatalog(services, { tenantId: tenant?.id, roles, activatedServiceIds }),
  };
}
