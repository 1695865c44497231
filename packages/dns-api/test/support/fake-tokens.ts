import { ServiceError } from '@zonewright/service-kit';
import type { TokenValidator } from '@zonewright/dns-api';
import type { Caller } from '@zonewright/zones';

/** The caller of each token that the tests use; any other token is unknown. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  'token-a': { userId: 'user-a', tenantId: 'tenant-a', roles: ['member', 'dns-admin'] },
  'token-b': { userId: 'user-b', tenantId: 'tenant-b', roles: ['member', 'dns-admin'] },
  'token-operator': {
    userId: 'user-o',
    tenantId: 'tenant-o',
    roles: ['dns-operator', 'dns-cloud-admin'],
  },
  'token-viewer': { userId: 'user-w', tenantId: 'tenant-w', roles: ['dns-operator'] },
};

/** A token that makes the service fail in an unexpected way. */
export const BROKEN_TOKEN = 'token-broken';

/** Replaces the identity service in tests that are not about access; test/access uses the real one. */
export const fakeTokens = withTokens({});

/** Returns the same validator with some additional tokens. */
export function withTokens(more: Readonly<Record<string, Caller>>): TokenValidator {
  const find = (token: string) => more[token] ?? CALLERS[token];
  const validate = (token: string) => {
    if (token === BROKEN_TOKEN) return Promise.reject(new Error('a fault with a secret in it'));
    const caller = find(token);
    return caller === undefined
      ? Promise.reject(new ServiceError('unauthenticated', 'The token is unknown.'))
      : Promise.resolve(caller);
  };
  return {
    findKnown: find,
    validate,
    hold: async (token) => ({
      caller: await validate(token),
      expiresAt: Infinity,
      isUnchanged: () => true,
      goodForMs: 60_000,
    }),
  };
}
