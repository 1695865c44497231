import { mayValidateAnyToken } from '../../users/account.js';
import { forbidden, notFound, unauthenticated } from '../../problems/problems.js';
import type { ResolvedToken } from './resolved-token.js';
import type { TokenValidator } from './token-validator.js';

/**
 * The token that somebody asks about: their own, another one of theirs, or anyone's for services and
 * administrators (decisions 2, Validate).
 *
 * @throws ServiceError not-found for a token that is unknown, expired or revoked; forbidden for one whose user is
 * disabled or suspended, so that no service overlooks it.
 */
export async function validate(
  { validator }: { readonly validator: TokenValidator },
  caller: ResolvedToken,
  tokenId: string,
): Promise<ResolvedToken> {
  const token = tokenId === caller.id ? caller : await validator.find(tokenId);
  // Identity s4: 404 after a revocation, for the user who revoked it, too. Nobody learns anything from it: whoever
  // has a token can try whether it is valid.
  if (token === undefined) throw notFound('token not found');
  if (token.account.id !== caller.account.id && !mayValidateAnyToken(caller.account)) {
    throw unauthenticated();
  }
  if (token.isBlocked) throw forbidden();
  return token;
}
