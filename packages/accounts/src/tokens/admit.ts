import { isInNetworks } from '@zonewright/service-kit';
import type { Restriction } from '../access-keys/restriction-store.js';
import type {
  PasswordAttempt,
  PasswordSubject,
  Verification,
  VerifiedKey,
} from '../login/credential-verifier.js';
import type { Credentials } from '../login/credentials.js';
import { unauthenticated } from '../shared/problems.js';
import {
  findTenant,
  listAllTenantsOfUser,
  type Tenant,
  type TenantReference,
} from '../tenants/tenant-store.js';
import { type Account, isBlocked } from '../users/account.js';
import { type Access, describeAccess } from './access.js';
import type { TokenServices } from './token-services.js';
import { mayUse } from './token-rights.js';

/** Credentials, the requested tenant, and the source address. */
export interface AdmissionRequest {
  readonly credentials: Credentials;
  /** Tenant of the token's scope. Undefined for an unscoped token. */
  readonly scope: TenantReference | undefined;
  /** Source address of the request. */
  readonly source: string;
}

/** Rate limits for the verification of passwords. */
interface PasswordGuard {
  /** Checks an account whose credentials were verified recently. @throws ServiceError (rate-limited) */
  readonly check: (subject: PasswordSubject) => Promise<void>;
  /** Verifies a password within the limits. @throws ServiceError (rate-limited), Overload */
  readonly attempt: (attempt: PasswordAttempt) => Promise<boolean>;
}

/**
 * Admits the owner of correct credentials. Errors of the credentials, the user and the tenant have the same response
 * and take the same time.
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

/** Fast path for credentials that were verified recently. It never rejects them; only the full path does. */
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
  const account = await directory.findAccount(accountId);
  // The cached password may be stale.
  if (account?.credentialGeneration !== verified.credentialGeneration) return undefined;
  const { credentialGeneration } = account;
  if (credentials.method === 'password') {
    await guard.check({ subject: accountId, credentialGeneration });
  }
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

/** Account that was admitted by its credentials. */
export interface Admission {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  /** Undefined if a password was used. */
  readonly accessKey?: VerifiedKey | undefined;
}

interface Wanted {
  readonly credentials: Credentials;
  readonly scope: TenantReference | undefined;
  readonly source: string;
}

/** Verified credentials, and the tenant of the requested scope if it exists. */
interface Shown {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly accessKey: VerifiedKey | undefined;
}

type Services = Pick<TokenServices, 'db' | 'directory'>;

/** Returns the account and the tenant for which the credentials are admitted. Undefined if they are rejected. */
export async function bindScope(
  services: Services,
  { account, tenant, accessKey }: Shown,
  wanted: Wanted,
): Promise<Admission | undefined> {
  if (isBlocked(account)) return undefined;
  const restriction = accessKey?.restriction;
  if (restriction !== undefined) {
    const own = await findOwnTenant(services, restriction, { tenant, wanted });
    return mayUse(account, own) ? { account, tenant: own, accessKey } : undefined;
  }
  if (wanted.scope !== undefined) {
    return mayUse(account, tenant) ? { account, tenant, accessKey } : undefined;
  }
  if (wanted.credentials.method !== 'application_credential') {
    return { account, tenant: undefined, accessKey };
  }
  const only = await findOnlyTenant(services, account);
  return mayUse(account, only) ? { account, tenant: only, accessKey } : undefined;
}

/** Returns the tenant of a restricted key. Undefined if the key may not be used for the requested scope. */
async function findOwnTenant(
  { directory }: Services,
  { tenantId, networks }: Restriction,
  { tenant, wanted }: { readonly tenant: Tenant | undefined; readonly wanted: Wanted },
): Promise<Tenant | undefined> {
  const isForOther = wanted.scope !== undefined && tenant?.id !== tenantId;
  if (isForOther || !isInNetworks(wanted.source, networks)) return undefined;
  return await directory.findTenant(tenantId);
}

/** Returns the user's only tenant. An application credential is for one project, so the request does not name one. */
async function findOnlyTenant({ db }: Services, { id }: Account) {
  const tenants = await listAllTenantsOfUser(db, id);
  return tenants.length === 1 ? tenants[0] : undefined;
}

/** Access key that was presented to another service, and the source address. */
export interface PresentedKey {
  readonly accessKeyId: string;
  readonly secretKey: string;
  readonly source: string;
}

const NO_PASSWORDS: PasswordGuard = {
  check: () => Promise.resolve(),
  attempt: () => Promise.resolve(false),
};

/**
 * Admits the owner of a presented access key, as `admit` does, without issuing a token. Only a restricted key
 * determines the tenant.
 *
 * @throws ServiceError unauthenticated
 */
export async function admitByKey(
  services: TokenServices,
  { accessKeyId, secretKey, source }: PresentedKey,
): Promise<Access> {
  const credentials = { method: 'accessKey', accessKeyId, secretKey } as const;
  const admission = await admit(services, { credentials, scope: undefined, source }, NO_PASSWORDS);
  services.accessKeyUses.note(accessKeyId);
  return await describeAdmission(services, admission);
}

/** Describes the access that a token of this admission would have. No token is issued. */
export async function describeAdmission(
  services: Pick<TokenServices, 'clock' | 'directory'>,
  { account, tenant, accessKey }: Admission,
): Promise<Access> {
  const now = new Date(services.clock.now());
  return await describeAccess(services, {
    id: '',
    claims: { method: 'accessKey', issuedAt: now, expiresAt: now },
    account,
    tenant,
    restriction: accessKey?.restriction,
  });
}
