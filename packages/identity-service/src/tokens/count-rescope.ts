import type { Context } from '../context/context.js';

/** Identity s8: Rescope counts for the token, if it is one of ours. @throws ServiceError (rate-limited) */
export async function countRescope({ signer, limits }: Context, tokenId: string): Promise<void> {
  const claims = await signer.verify(tokenId);
  if (claims !== undefined) await limits.consume('rescope', claims.jti);
}
