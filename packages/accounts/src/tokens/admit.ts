import { isInNetworks } from '@zonewright/service-kit';
import type { Restriction } from '../access-keys/restriction-store.js';
import type { PasswordAttempt, Verification, VerifiedKey } from '../login/credential-verifier.js';
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
import { mayUse } from './validate.js';

/** Who shows which credentials, for which tenant. */
export interface AdmissionRequest {
  readonly credentials: Credentials;
  /** The tenant to scope the token to; undefined: unscoped. */
  readonly scope: TenantReference | undefined;
  /** The address from which they are shown. */
  readonly source: string;
}

/** Decides whether somebody may try a password now. */
interface PasswordGuard {
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

/** Whom credentials have let in. */
export interface Admission {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  /** Undefined: it was a password. */
  readonly accessKey?: VerifiedKey | undefined;
}

interface Wanted {
  readonly credentials: Credentials;
  readonly scope: TenantReference | undefined;
  readonly source: string;
}

/** Credentials that are right, and the tenant that the scope names if there is such a one. */
interface Shown {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  readonly accessKey: VerifiedKey | undefined;
}

type Services = Pick<TokenServices, 'db' | 'directory'>;

/** Whom right credentials let in, and for which tenant; undefined: nobody. */
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

/** The tenant that a restricted key is for; undefined: it may not be used like that. */
async function findOwnTenant(
  { directory }: Services,
  { tenantId, networks }: Restriction,
  { tenant, wanted }: { readonly tenant: Tenant | undefined; readonly wanted: Wanted },
): Promise<Tenant | undefined> {
  const isForOther = wanted.scope !== undefined && tenant?.id !== tenantId;
  if (isForOther || !isInNetworks(wanted.source, networks)) return undefined;
  return await directory.findTenant(tenantId);
}

/** Who shows an application credential names no project: it is for one. */
async function findOnlyTenant({ db }: Services, { id }: Account) {
  const tenants = await listAllTenantsOfUser(db, id);
  return tenants.length === 1 ? tenants[0] : undefined;
}

/** An access key as it was shown to another service, and the address from which it was. */
export interface ShownKey {
  readonly accessKeyId: string;
  readonly secretKey: string;
  readonly source: string;
}

const NO_PASSWORDS: PasswordGuard = {
  check: () => Promise.resolve(),
  attempt: () => Promise.resolve(false),
};

/**
 * As `admit` does for whoever logs in with an access key; there is no token. Only a restricted key says for which tenant it is.
 *
 * @throws ServiceError unauthenticated
 */
export async function admitByKey(
  services: TokenServices,
  { accessKeyId, secretKey, source }: ShownKey,
): Promise<Access> {
  const credentials = { method: 'accessKey', accessKeyId, secretKey } as const;
  const admission = await admit(services, { credentials, scope: undefined, source }, NO_PASSWORDS);
  services.accessKeyUses.note(accessKeyId);
  return await describeAdmission(services, admission);
}

/** What a token of somebody who shows an access key would say; there is none. */
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
