import { type Account, isBlocked, hasRoleOnTenant } from '../../users/account.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { TokenClaims } from '../claims/token-claims.js';
import type { TokenServices } from '../token-services.js';
import type { TokenState } from '../state/token-state-code.js';

/** A token that is valid now, with whom and what it stands for. */
export interface ResolvedToken {
  readonly id: string;
  readonly claims: TokenClaims;
  readonly account: Account;
  /** Its scope; undefined: unscoped. */
  readonly tenant: Tenant | undefined;
  /** Disabled or suspended: the token is genuine, but nothing may be done with it. */
  readonly isBlocked: boolean;
}

/**
 * Whom a token belongs to. Undefined for a token that is forged, expired, revoked (or something that it came from) or
 * older than its user's password, and when its user, its tenant or the user's role on that tenant is gone.
 */
export async function resolveToken(
  services: TokenServices,
  tokenId: string,
): Promise<ResolvedToken | undefined> {
  const recent = services.recentTokens.find(tokenId);
  if (recent !== undefined) return recent;
  const { generation } = services.recentTokens;
  const claims = await services.signer.verify(tokenId);
  if (claims === undefined) return undefined;
  const [state, account] = await Promise.all([
    services.tokenStates.find(claims.lineage.names),
    services.directory.findAccount(claims.userId),
  ]);
  if (state.kind === 'revoked' || account === undefined || isOutdated(claims, account)) {
    return undefined;
  }
  const tenantId = scopeOf(claims, state);
  const tenant = tenantId === undefined ? undefined : await services.directory.findTenant(tenantId);
  if (tenantId !== undefined && !mayUse(account, tenant)) return undefined;
  return services.recentTokens.remember(
    { id: tokenId, claims, account, tenant, isBlocked: isBlocked(account) },
    { generation, state },
  );
}

/** Whether a user's tokens may be scoped to a tenant. */
export function mayUse(account: Account, tenant: Tenant | undefined): tenant is Tenant {
  return tenant?.enabled === true && hasRoleOnTenant(account, tenant.id);
}

function scopeOf(claims: TokenClaims, state: TokenState): string | undefined {
  return state.kind === 'rescoped' ? state.tenantId : claims.tenantId;
}

function isOutdated({ lineage, issuedAt }: TokenClaims, account: Account): boolean {
  const { generation } = lineage;
  if (generation !== undefined && generation !== account.credentialGeneration) return true;
  // All that there is to a token of a version that knew no generations, or from before migration 0008.
  return account.tokensValidAfter !== undefined && issuedAt <= account.tokensValidAfter;
}
