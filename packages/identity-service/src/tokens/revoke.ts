import { isAdministratorOf } from '../accounts/account.js';
import type { Context } from '../context.js';
import { forbidden, notFound } from '../http/problems.js';
import type { AuditFacts } from '../http/audit.js';
import type { Caller } from '../http/route.js';
import { resolveToken } from './resolve-token.js';

/**
 * Revokes a token for good (Identity s4, Revoke Token): one's own, or as an administrator that of anyone in
 * the same account domain.
 *
 * @returns whose token it was, for the audit line.
 * @throws ServiceError not-found for an absent, expired or revoked token; forbidden for somebody else's.
 */
export async function revoke(
  context: Context,
  caller: Caller,
  tokenId: string,
): Promise<AuditFacts> {
  const token = await resolveToken(context, tokenId);
  if (token === undefined) throw notFound('token not found');
  const { account } = token;
  const mayRevoke =
    account.id === caller.account.id || isAdministratorOf(caller.account, account.domain.id);
  if (!mayRevoke) throw forbidden();
  const isDone = await context.tokenStates.revoke(tokenId, token.claims);
  if (!isDone) throw notFound('token not found');
  return { jti: token.claims.jti, ownerId: account.id };
}
