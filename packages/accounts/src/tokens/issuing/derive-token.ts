import { unauthenticated } from '../../problems/problems.js';
import { findTenant, type TenantReference } from '../../tenants/tenant-store.js';
import { type Access, describeAccess } from '../validation/access.js';
import { mayUse } from '../validation/resolved-token.js';
import { nameDerived } from '../claims/token-lineage.js';
import type { TokenServices } from '../services/token-services.js';

/** In version 3 a new scope is a new token; it ends when the old one does, whatever ends that. */
export async function deriveToken(
  services: TokenServices,
  tokenId: string,
  scope: TenantReference | undefined,
): Promise<Access> {
  const token = await services.validator.find(tokenId);
  if (token === undefined || token.isBlocked) throw unauthenticated();
  const { account } = token;
  const tenant = scope && (await findTenant(services.db, scope));
  if (scope !== undefined && !mayUse(account, tenant)) throw unauthenticated();
  const { id, claims } = await services.signer.sign({
    // Of the account with which the old one was found valid: it may have changed since.
    jti: nameDerived(token.claims.jti, account.credentialGeneration),
    userId: account.id,
    tenantId: tenant?.id,
    method: 'token',
    issuedAt: token.claims.issuedAt,
    expiresAt: token.claims.expiresAt,
  });
  return await describeAccess(services, { id, claims, account, tenant });
}
