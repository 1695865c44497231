import { type Account, isBlocked } from '../accounts/account.js';
import type { Context } from '../context.js';
import { unauthenticated } from '../http/problems.js';
import type { RateLimitName } from '../http/rate-limits.js';
import { findTenant, type TenantReference } from '../tenants/tenant-store.js';
import type { Tenant } from '../tenants/tenant.js';
import { type Access, describeAccess } from './access.js';
import type { Credentials } from './credentials.js';
import { mayUse } from './resolve-token.js';
import { TOKEN_LIFETIME_MS } from './token-claims.js';
import { nameLogin, nameLoginByKey } from './token-lineage.js';
import type { Verification } from './credential-verifier.js';

interface AuthenticationRequest {
  readonly credentials: Credentials;
  /** The tenant to scope the token to; undefined: unscoped. */
  readonly scope: TenantReference | undefined;
  readonly source: string;
  /** What a success counts under; `door` keeps apart what has counters of its own. */
  readonly limit?: { readonly name: RateLimitName; readonly door: string };
}

interface Admission {
  readonly account: Account;
  readonly tenant: Tenant | undefined;
  /** Of the access key, if it was one. */
  readonly tokenFamily?: string | undefined;
}

/**
 * Issues a token for credentials (Identity s4, Authenticate). Whatever is wrong, with the credentials, the user or
 * the tenant, gives one and the same error after the same work.
 */
export async function authenticate(
  context: Context,
  request: AuthenticationRequest,
): Promise<Access> {
  const { credentials, limit = { name: 'authenticate', door: '' } } = request;
  const admission = (await readmit(context, request)) ?? (await admit(context, request));
  // Identity s8: by user and tenant. Only who is let in is counted: others must not use up what is the owner's.
  const key = JSON.stringify([limit.door, admission.account.id, admission.tenant?.id]);
  await context.limits.consume(limit.name, key);
  return await issueToken(context, admission, credentials.method);
}

async function issueToken(
  context: Context,
  { account, tenant, tokenFamily }: Admission,
  method: Credentials['method'],
): Promise<Access> {
  const issuedAt = new Date(context.clock.now());
  // As they were when the credentials were right, whatever has changed since.
  const { credentialGeneration } = account;
  const { id, claims } = await context.signer.sign({
    jti:
      tokenFamily === undefined
        ? nameLogin(credentialGeneration)
        : nameLoginByKey(tokenFamily, credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method,
    issuedAt,
    expiresAt: new Date(issuedAt.getTime() + TOKEN_LIFETIME_MS),
  });
  return await describeAccess(context, { id, claims, account, tenant });
}

/** The short way for credentials that were right a moment ago. It only ever admits: refusing takes the full way. */
async function readmit(
  { verifiedCredentials, failedPasswords, directory, db }: Context,
  { credentials, scope, source }: AuthenticationRequest,
): Promise<Admission | undefined> {
  const verified = verifiedCredentials.find(credentials);
  if (verified === undefined) return undefined;
  const { accountId } = verified;
  if (credentials.method === 'password') await failedPasswords.check(accountId, source);
  const account = await directory.findAccount(accountId);
  // What was right may be the password from before, though its change has not been announced here yet.
  if (account?.credentialGeneration !== verified.credentialGeneration) return undefined;
  const tenant =
    scope !== undefined && 'id' in scope
      ? await directory.findTenant(scope.id)
      : scope && (await findTenant(db, scope));
  const admission = findAdmission(account, tenant, scope);
  return admission && { ...admission, tokenFamily: verified.tokenFamily };
}

async function admit(context: Context, request: AuthenticationRequest): Promise<Admission> {
  const { verifier, verifiedCredentials } = context;
  const { credentials, scope, source } = request;
  const { generation } = verifiedCredentials;
  const verification = await verifier.verify(credentials, scope, (attempt) =>
    context.passwordAttempts.make(attempt, source),
  );
  const admission = findAdmission(verification?.account, verification?.tenant, scope);
  if (verification === undefined || admission === undefined) throw unauthenticated();
  remember(context, credentials, { verification, generation });
  return { ...admission, tokenFamily: verification.tokenFamily };
}

function findAdmission(
  account: Account | undefined,
  tenant: Tenant | undefined,
  scope: TenantReference | undefined,
): Admission | undefined {
  if (account === undefined || isBlocked(account)) return undefined;
  if (scope === undefined) return { account, tenant: undefined };
  return mayUse(account, tenant) ? { account, tenant } : undefined;
}

function remember(
  { verifiedCredentials }: Context,
  credentials: Credentials,
  found: { readonly verification: Verification; readonly generation: number },
): void {
  const { verification, generation } = found;
  verifiedCredentials.remember(credentials, {
    accountId: verification.account.id,
    credentialGeneration: verification.account.credentialGeneration,
    tokenFamily: verification.tokenFamily,
    generation,
    validTo: verification.validTo,
  });
}
