import type { Context } from '../context/context.js';
import type { RateLimitName } from '../limits/rate-limits.js';
import { type Access, type AdmissionRequest, admit, issueToken } from '@zonewright/accounts';

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
