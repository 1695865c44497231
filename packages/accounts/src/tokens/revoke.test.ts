import { describe, expect, it } from '@jest/globals';
import type { TokenServices } from './token-services.js';
import type { ResolvedToken } from './token-rights.js';
import { revoke } from './revoke.js';

const token = (id: string) =>
  ({
    id,
    account: { id: 'user', domain: { id: 'default' }, roles: [] },
    claims: { jti: `jti of ${id}` },
  }) as unknown as ResolvedToken;

/**
 * Services as they are after a first request whose response was lost; `found` is the token as validation still shows
 * it.
 */
const services = (found: ResolvedToken | undefined) =>
  ({
    validator: { find: () => Promise.resolve(found) },
    tokenStates: { revoke: () => Promise.resolve(false) },
  }) as unknown as TokenServices;

describe('a revocation that is repeated', () => {
  it.each([
    ['is already revoked', undefined],
    ['was revoked meanwhile', token('X')],
  ])("succeeds for the caller's own token, which %s", async (_, found) => {
    await expect(revoke(services(found), token('X'), 'X')).resolves.toEqual({
      jti: 'jti of X',
      ownerId: 'user',
    });
  });

  it.each([undefined, token('Y')])('returns not-found for another token', async (found) => {
    await expect(revoke(services(found), token('X'), 'Y')).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});
