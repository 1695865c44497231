import { unauthenticated } from '../../problems/problems.js';
import { findTenant, type TenantReference } from '../../tenants/tenant-store.js';
import type { TokenServices } from '../services/token-services.js';
import type { PasswordAttempt, Verification } from '../credentials/credential-verifier.js';
import type { Credentials } from '../credentials/credentials.js';
import type { Admission } from './admission.js';
import { bindScope } from './bind-scope.js';

/** Who shows which credentials, for which tenant. */
export interface AdmissionRequest {
  readonly credentials: Credentials;
  /** The tenant to scope the token to; undefined: unscoped. */
  readonly scope: TenantReference | undefined;
  /** The address from which they are shown. */
  readonly source: string;
}

/** Decides whether somebody may try a password now. */
export interface PasswordGuard {
  /** For an account whose credentials were right a moment ago. @throws ServiceError (rate-limited) */
  readonly check: (accountId: string) => Promise<void>;
  /** Has a look made at a password. @throws ServiceError (rate-limited), Overload */
  readonly attempt: (attempt: PasswordAttempt) => Promise<boolean>;
}

/**
 * Whom credentials let in. Whatever is wrong, with the credentials, the user or the tenant, gives one and the same error
 * after the same work.
 *
 * @throws ServiceError unauthenticated
 */
export async function admit(
  services: TokenServices,
  request: AdmissionRequest,
  guard: PasswordGuard,
): Promise<Admission> {
  return (await readmit(services, request, guard)) ?? (await verify(services, request, guard));
}

/** The short way for credentials that were right a moment ago. It only ever admits: refusing takes the full way. */
async function readmit(
  services: TokenServices,
  request: AdmissionRequest,
  guard: PasswordGuard,
): Promise<Admission | undefined> {
  const { verifiedCredentials, directory, db } = services;
  const { credentials, scope } = request;
  const verified = verifiedCredentials.find(credentials);
  if (verified === undefined) return undefined;
  const { accountId } = verified;
  if (credentials.method === 'password') await guard.check(accountId);
  const account = await directory.findAccount(accountId);
  // What was right may be the password from before, though its change has not been announced here yet.
  if (account?.credentialGeneration !== verified.credentialGeneration) return undefined;
  const tenant =
    scope !== undefined && 'id' in scope
      ? await directory.findTenant(scope.id)
      : scope && (await findTenant(db, scope));
  return await bindScope(services, { account, tenant, accessKey: verified.accessKey }, request);
}

async function verify(
  services: TokenServices,
  request: AdmissionRequest,
  guard: PasswordGuard,
): Promise<Admission> {
  const { credentials, scope } = request;
  const { verifier, verifiedCredentials } = services;
  const { generation } = verifiedCredentials;
  const verification = await verifier.verify(credentials, scope, guard.attempt);
  const admission = verification && (await bindScope(services, verification, request));
  if (verification === undefined || admission === undefined) throw unauthenticated();
  remember(services, credentials, { verification, generation });
  return admission;
}

function remember(
  { verifiedCredentials }: TokenServices,
  credentials: Credentials,
  found: { readonly verification: Verification; readonly generation: number },
): void {
  const { verification, generation } = found;
  verifiedCredentials.remember(credentials, {
    accountId: verification.account.id,
    credentialGeneration: verification.account.credentialGeneration,
    accessKey: verification.accessKey,
    generation,
    validTo: verification.validTo,
  });
}
