import type { VerifiedKey } from '../login/credential-verifier.js';
import type { Credentials } from '../login/credentials.js';
import { forbidden, unauthenticated } from '../shared/problems.js';
import { findTenant, type TenantReference } from '../tenants/tenant-store.js';
import { type Access, describeAccess } from './access.js';
import type { Admission } from './admit.js';
import { nameDerived, nameLogin, nameLoginByKey, TOKEN_LIFETIME_MS } from './token-claims.js';
import type { TokenServices } from './token-services.js';
import { mayUse } from './token-rights.js';

/** Issues a new token for admitted credentials (Identity s4, Authenticate). */
export async function issueToken(
  services: TokenServices,
  { account, tenant, accessKey }: Admission,
  method: Credentials['method'],
): Promise<Access> {
  const issuedAt = new Date(services.clock.now());
  // The generation at the time of the verification, even if it has changed since.
  const { credentialGeneration } = account;
  const { tokenFamily, restriction } = accessKey ?? {};
  if (accessKey !== undefined) services.accessKeyUses.note(accessKey.id);
  const { id, claims } = await services.signer.sign({
    jti:
      tokenFamily === undefined
        ? nameLogin(credentialGeneration)
        : nameLoginByKey(tokenFamily, credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method,
    issuedAt,
    expiresAt: expiryOf(issuedAt, accessKey),
    restrictionNumber: restriction?.number,
  });
  return await describeAccess(services, { id, claims, account, tenant, restriction });
}

/** Returns the expiry time. The tokens of a restricted key expire with the key at the latest. */
function expiryOf(issuedAt: Date, accessKey: VerifiedKey | undefined): Date {
  const usual = issuedAt.getTime() + TOKEN_LIFETIME_MS;
  return accessKey?.restriction === undefined
    ? new Date(usual)
    : new Date(Math.min(usual, accessKey.validTo.getTime()));
}

/** Issues a token with a new scope, as in version 3. It expires, and is revoked, together with the old one. */
export async function deriveToken(
  services: TokenServices,
  tokenId: string,
  scope: TenantReference | undefined,
): Promise<Access> {
  const token = await services.validator.find(tokenId);
  if (token === undefined || token.isBlocked) throw unauthenticated();
  // A restricted token is for one tenant and one purpose, which cannot change.
  if (token.restriction !== undefined) throw forbidden();
  const { account } = token;
  const tenant = scope && (await findTenant(services.db, scope));
  if (scope !== undefined && !mayUse(account, tenant)) throw unauthenticated();
  const { id, claims } = await services.signer.sign({
    // The generation for which the old token was found valid, since it may have changed in the meantime.
    jti: nameDerived(token.claims.jti, account.credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method: 'token',
    issuedAt: token.claims.issuedAt,
    expiresAt: token.claims.expiresAt,
  });
  return await describeAccess(services, {
    id,
    claims,
    account,
    tenant,
    restriction: undefined,
  });
}
