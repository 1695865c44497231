import { forbidden, notFound, unauthenticated } from '../shared/problems.js';
import { findTenant, type TenantReference } from '../tenants/tenant-store.js';
import { isAdministratorOf } from '../users/account.js';
import { type Access, describeAccess } from './access.js';
import type { TokenServices } from './token-services.js';
import { mayUse, type ResolvedToken } from './token-rights.js';

/**
 * Revokes a token permanently (Identity s4, Revoke Token). A caller may revoke its own token, and an administrator
 * any token in the account domain.
 *
 * @returns name and user of the token
 * @throws ServiceError not-found for an absent, expired or revoked token; forbidden for a token of another user
 */
export async function revoke(
  services: TokenServices,
  caller: ResolvedToken,
  tokenId: string,
): Promise<{ readonly jti: string; readonly ownerId: string }> {
  const isOwn = tokenId === caller.id;
  const token = (await services.validator.find(tokenId)) ?? (isOwn ? caller : undefined);
  if (token === undefined) throw notFound('token not found');
  const { account } = token;
  const mayRevoke =
    caller.restriction === undefined
      ? account.id === caller.account.id || isAdministratorOf(caller.account, account.domain.id)
      : isOwn;
  if (!mayRevoke) throw forbidden();
  const isDone = await services.tokenStates.revoke(tokenId, token.claims);
  // A client repeats the request if the response was lost. Its token is already revoked, so the retry succeeds.
  if (!isDone && !isOwn) throw notFound('token not found');
  return { jti: token.claims.jti, ownerId: account.id };
}

/**
 * Changes the scope of a token, or removes it (Identity s4, Rescope Token). The id and the expiry time do not change,
 * and every replica uses the new scope at once.
 */
export async function rescope(
  services: TokenServices,
  tokenId: string,
  scope: TenantReference | undefined,
): Promise<Access> {
  const token = await services.validator.find(tokenId);
  if (token === undefined || token.isBlocked) throw unauthenticated();
  // A restricted token is for one tenant and one purpose, which cannot change.
  if (token.restriction !== undefined) throw forbidden();
  const tenant = scope && (await findTenant(services.db, scope));
  if (scope !== undefined && !mayUse(token.account, tenant)) throw unauthenticated();
  const isDone = await services.tokenStates.rescope(tokenId, token.claims, tenant?.id);
  if (!isDone) throw unauthenticated();
  return await describeAccess(services, { ...token, tenant });
}
