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
  const isOwn = token?.account.id === caller.account.id;
  // Asked before "not found", so that nobody learns which tokens exist.
  if (!isOwn && !mayValidateAnyToken(caller.account)) throw unauthenticated();
  if (token === undefined) throw notFound('token not found');
  if (token.isBlocked) throw forbidden();
  return token;
}
