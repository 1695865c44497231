import type { Restriction } from '../access-keys/restriction-store.js';
import type { CatalogEntry } from '../catalog/catalog.js';
import type { Tenant } from '../tenants/tenant-store.js';
import { type Account, type HeldRole, rolesInScope } from '../users/account.js';
import type { Directory } from './directory.js';
import type { AuthenticationMethod, TokenClaims } from './token-claims.js';
import type { ResolvedToken } from './token-rights.js';

/** Everything that a response contains about a token, in both versions of the API. */
export interface Access {
  readonly tokenId: string;
  readonly method: AuthenticationMethod;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly roles: readonly HeldRole[];
  readonly catalog: readonly CatalogEntry[];
  /** Undefined if the token has all rights of its user. */
  readonly restriction: Restriction | undefined;
}

/** Members of a token that responses are made from. */
export type DescribedToken = Pick<
  ResolvedToken,
  'id' | 'claims' | 'account' | 'tenant' | 'restriction'
>;

/** Same members without a token, for the signer of a message. */
type ShownToken = Omit<DescribedToken, 'claims'> & {
  readonly claims: Pick<TokenClaims, 'method' | 'issuedAt' | 'expiresAt'>;
};

export async function describeAccess(
  { directory }: { readonly directory: Directory },
  token: ShownToken,
): Promise<Access> {
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
    restriction: token.restriction,
    catalog: await directory.findCatalog(tenant?.id, roles),
  };
}
