import {
  type Access,
  accountNameOf,
  type AdmissionRequest,
  admit,
  type Credentials,
  issueToken,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { RateLimitName } from '../context/rate-limits.js';
import type { ApiRequest } from './route.js';

interface AuthenticationRequest extends AdmissionRequest {
  readonly source: string;
  /** What a success counts under; `door` keeps apart what has counters of its own. */
  readonly limit?: { readonly name: RateLimitName; readonly door: string };
}

/** Issues a token for credentials (Identity s4, Authenticate), within the limits. */
export async function authenticate(
  context: Context,
  request: AuthenticationRequest,
): Promise<Access> {
  const { credentials, source, limit = { name: 'authenticate', door: '' } } = request;
  const admission = await admit(context, request, {
    check: (accountId) => context.failedPasswords.check(accountId, source),
    attempt: (attempt) => context.passwordAttempts.make(attempt, source),
  });
  // Identity s8: by user and tenant. Only who is let in is counted: others must not use up what is the owner's.
  const key = JSON.stringify([limit.door, admission.account.id, admission.tenant?.id]);
  await context.limits.consume(limit.name, key);
  return await issueToken(context, admission, credentials.method);
}

type Subject = Credentials | { readonly method: 'token' };

/** Whoever somebody claims to be, for the audit line of an attempt that fails. */
export function noteClaim({ audit }: Pick<ApiRequest, 'audit'>, subject: Subject): void {
  audit.note(
    subject.method === 'token'
      ? { method: subject.method }
      : { method: subject.method, account: accountNameOf(subject) },
  );
}

/** Who it turned out to be, and for which tenant. */
export function noteAccess({ audit }: Pick<ApiRequest, 'audit'>, access: Access): void {
  audit.note({ userId: access.account.id, tenantId: access.tenant?.id });
}

/** Identity s8: Rescope counts for the token, if it is one of ours. @throws ServiceError (rate-limited) */
export async function countRescope({ signer, limits }: Context, tokenId: string): Promise<void> {
  const claims = await signer.verify(tokenId);
  if (claims !== undefined) await limits.consume('rescope', claims.jti);
}

/**
 * A response that carries a token must not be kept by anything between (decisions 2, Authenticate). Every answer has
 * `Cache-Control: no-store`; these say it to caches that know HTTP/1.0 alone.
 */
export const NO_STORE_HEADERS = { Pragma: 'no-cache', Expires: '-1' } as const;

/** What such an answer has, for its description. */
export const NO_STORE_NAMES = ['Cache-Control', ...Object.keys(NO_STORE_HEADERS)];
