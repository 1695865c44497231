import type { IncomingHttpHeaders } from 'node:http';
import { mayValidateAnyToken } from '../accounts/account.js';
import type { Context } from '../context.js';
import type { Representation, Resource } from '../representation/resource.js';
import type { Access } from './access.js';

type ValidationContext = Pick<Context, 'recentTokens' | 'tokenBodies'>;

interface Question {
  readonly headers: IncomingHttpHeaders;
  readonly tokenId: string;
  readonly resource: Resource<Access>;
}

/**
 * The body of the answer to a validation, when all that it stands on is known already and the answer is yes. It
 * follows the rules of `handleTokenRoute` and `validate`; whatever is not a plain yes goes there.
 */
export function findKnownValidation(
  { recentTokens, tokenBodies }: ValidationContext,
  { headers, tokenId, resource }: Question,
): Representation | undefined {
  const callerId = headers['x-auth-token'];
  const caller = typeof callerId === 'string' ? recentTokens.find(callerId) : undefined;
  if (caller === undefined || caller.isBlocked) return undefined;
  const token = tokenId === caller.id ? caller : recentTokens.find(tokenId);
  if (token === undefined || token.isBlocked) return undefined;
  const isOwn = token.account.id === caller.account.id;
  if (!isOwn && !mayValidateAnyToken(caller.account)) return undefined;
  return tokenBodies.findKnown(resource, token);
}
