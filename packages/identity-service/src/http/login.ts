import {
  type Access,
  accountNameOf,
  type AdmissionRequest,
  admit,
  type Credentials,
  issueToken,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { budgetOf } from '../context/returning-clients.js';
import type { RateLimitName } from '../context/rate-limits.js';
import type { ApiRequest } from './route.js';

interface AuthenticationRequest extends Omit<AdmissionRequest, 'source'> {
  readonly head: Pick<ApiRequest, 'source' | 'client' | 'party'>;
  /** Limit for which a successful login counts. `scope` separates counters of the same name. */
  readonly limit?: { readonly name: RateLimitName; readonly scope: string };
}

/** Issues a token for credentials (Identity s4, Authenticate), within the limits. */
export async function authenticate(
  context: Context,
  request: AuthenticationRequest,
): Promise<Access> {
  const { credentials, scope, head, limit = { name: 'authenticate', scope: '' } } = request;
  const { source, client, party } = head;
  const admission = await admit(
    context,
    { credentials, scope, source },
    {
      check: (tried) =>
        context.failedPasswords.check(tried.subject, budgetOf(source, client, tried)),
      attempt: (attempt) =>
        context.passwordAttempts.make(attempt, {
          party,
          budget: budgetOf(source, client, attempt),
        }),
    },
  );
  // The limit is by user and tenant (Identity s8). Only successful logins count, so that others cannot use up the
  // owner's limit.
  const key = JSON.stringify([limit.scope, admission.account.id, admission.tenant?.id]);
  await context.limits.consume(limit.name, key);
  return await issueToken(context, admission, credentials.method);
}

type Subject = Credentials | { readonly method: 'token' };

/** Records the claimed identity for the audit line of a failed attempt. */
export function noteClaim({ audit }: Pick<ApiRequest, 'audit'>, subject: Subject): void {
  audit.note(
    subject.method === 'token'
      ? { method: subject.method }
      : { method: subject.method, account: accountNameOf(subject) },
  );
}

/** Returns the headers that identify the client at its next login, if it requested them. */
export function returningClientHeaders(
  { returningClients }: Context,
  { headers }: Pick<ApiRequest, 'headers'>,
  { subject, access }: { readonly subject: Subject; readonly access: Access },
): Readonly<Record<string, string>> {
  return subject.method === 'password' ? returningClients.headersFor(access.account, headers) : {};
}

/** Records the user and the tenant of a successful login. */
export function noteAccess({ audit }: Pick<ApiRequest, 'audit'>, access: Access): void {
  audit.note({ userId: access.account.id, tenantId: access.tenant?.id });
}

/** Counts a Rescope for the token if it is genuine (Identity s8). @throws ServiceError (rate-limited) */
export async function countRescope({ signer, limits }: Context, tokenId: string): Promise<void> {
  const claims = await signer.verify(tokenId);
  if (claims !== undefined) await limits.consume('rescope', claims.jti);
}

/**
 * Headers that keep caches from storing a response with a token (D-ID-9). Every response has `Cache-Control: no-store`;
 * these are for caches that support only HTTP/1.0.
 */
export const NO_STORE_HEADERS = { Pragma: 'no-cache', Expires: '-1' } as const;

/** Names of these headers for the description of an operation. */
export const NO_STORE_NAMES = ['Cache-Control', ...Object.keys(NO_STORE_HEADERS)];
