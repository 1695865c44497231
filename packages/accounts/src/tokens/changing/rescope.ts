import { unauthenticated } from '../../problems/problems.js';
import { findTenant, type TenantReference } from '../../tenants/tenant-store.js';
import { type Access, describeAccess } from '../validation/access.js';
import { mayUse } from '../validation/resolved-token.js';
import type { TokenServices } from '../services/token-services.js';

/**
 * Scopes an existing token anew, or to no tenant (Identity s4, Rescope Token): its id and expiry stay, and every
 * replica knows the new scope at once.
 */
export async function rescope(
  services: TokenServices,
  tokenId: string,
  scope: TenantReference | undefined,
): Promise<Access> {
  const token = await services.validator.find(tokenId);
  if (token === undefined || token.isBlocked) throw unauthenticated();
  const tenant = scope && (await findTenant(services.db, scope));
  if (scope !== undefined && !mayUse(token.account, tenant)) throw unauthenticated();
  const isDone = await services.tokenStates.rescope(tokenId, token.claims, tenant?.id);
  if (!isDone) throw unauthenticated();
  return await describeAccess(services, { ...token, tenant });
}
