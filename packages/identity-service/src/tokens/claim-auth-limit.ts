import type { Context } from '../context.js';
import type { RateLimitClaim } from '../http/route.js';
import { accountNameOf } from './credentials.js';
import type { AuthBody } from './read-auth-body.js';

/** Identity s8: by user name and tenant, or by the token that is rescoped. */
export async function claimAuthLimit(
  { signer }: Context,
  { subject, scope }: AuthBody,
): Promise<RateLimitClaim> {
  return subject.method === 'token'
    ? { name: 'rescope', key: (await signer.verify(subject.tokenId))?.jti }
    : { name: 'authenticate', key: JSON.stringify([accountNameOf(subject), scope]) };
}
