import { mayValidateAnyToken } from '../accounts/account.js';
import type { Context } from '../context.js';
import { forbidden, notFound, unauthenticated } from '../http/problems.js';
import type { Caller } from '../http/route.js';
import { type ResolvedToken, resolveToken } from './resolve-token.js';

/**
 * The token that somebody asks about: their own, another one of theirs, or anyone's for services and
 * administrators (decisions 2, Validate).
 *
 * @throws ServiceError not-found for a token that is unknown, expired or revoked; forbidden for one whose user is
 * disabled or suspended, so that no service overlooks it.
 */
export async function validate(
  context: Context,
  caller: Caller,
  tokenId: string,
): Promise<ResolvedToken> {
  const token = tokenId === caller.id ? caller : await resolveToken(context, tokenId);
  // Identity s4: 404 after a revocation, for the user who revoked it, too. Nobody learns anything from it: whoever
  // has a token can try whether it is valid.
  if (token === undefined) throw notFound('token not found');
  if (token.account.id !== caller.account.id && !mayValidateAnyToken(caller.account)) {
    throw unauthenticated();
  }
  if (token.isBlocked) throw forbidden();
  return token;
}
