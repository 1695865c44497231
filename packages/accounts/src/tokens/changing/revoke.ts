import { type Account, isAdministratorOf } from '../../users/account.js';
import { forbidden, notFound } from '../../problems/problems.js';
import type { TokenServices } from '../services/token-services.js';

/**
 * Revokes a token for good (Identity s4, Revoke Token): one's own, or as an administrator that of anyone in
 * the same account domain.
 *
 * @returns which token it was, and whose.
 * @throws ServiceError not-found for an absent, expired or revoked token; forbidden for somebody else's.
 */
export async function revoke(
  services: TokenServices,
  caller: Account,
  tokenId: string,
): Promise<{ readonly jti: string; readonly ownerId: string }> {
  const token = await services.validator.find(tokenId);
  if (token === undefined) throw notFound('token not found');
  const { account } = token;
  const mayRevoke = account.id === caller.id || isAdministratorOf(caller, account.domain.id);
  if (!mayRevoke) throw forbidden();
  const isDone = await services.tokenStates.revoke(tokenId, token.claims);
  if (!isDone) throw notFound('token not found');
  return { jti: token.claims.jti, ownerId: account.id };
}
