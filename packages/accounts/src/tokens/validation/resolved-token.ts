import { type Account, hasRoleOnTenant } from '../../users/account.js';
import type { Restriction } from '../../restrictions/restriction-store.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { TokenClaims } from '../claims/token-claims.js';

/** A token that is valid now, with whom and what it stands for. */
export interface ResolvedToken {
  readonly id: string;
  readonly claims: TokenClaims;
  readonly account: Account;
  /** Its scope; undefined: unscoped. */
  readonly tenant: Tenant | undefined;
  /** Disabled or suspended: the token is genuine, but nothing may be done with it. */
  readonly isBlocked: boolean;
  /** What it may be used for; undefined: whatever its user may. */
  readonly restriction: Restriction | undefined;
}

/** Whether a user's tokens may be scoped to a tenant. */
export function mayUse(account: Account, tenant: Tenant | undefined): tenant is Tenant {
  return tenant?.enabled === true && hasRoleOnTenant(account, tenant.id);
}
