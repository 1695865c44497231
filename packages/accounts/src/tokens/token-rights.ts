import type { Restriction } from '../access-keys/restriction-store.js';
import type { Tenant } from '../tenants/tenant-store.js';
import { type Account, hasRoleOnTenant, mayValidateAnyToken } from '../users/account.js';
import type { TokenClaims } from './token-claims.js';

/** Token that is valid now, with its user and scope. */
export interface ResolvedToken {
  readonly id: string;
  readonly claims: TokenClaims;
  readonly account: Account;
  /** Tenant of the scope. Undefined for an unscoped token. */
  readonly tenant: Tenant | undefined;
  /** Whether the user is disabled or suspended. Such a token is genuine but has no rights. */
  readonly isBlocked: boolean;
  /** Undefined if the token has all rights of its user. */
  readonly restriction: Restriction | undefined;
}

type Party = Pick<ResolvedToken, 'id' | 'account' | 'isBlocked' | 'restriction'>;

/** Result of a validation: the token is returned, or this kind of error. */
type Verdict = 'allowed' | 'not-found' | 'unauthenticated' | 'forbidden';

/**
 * Whether a caller may validate a token (D-ID-14): the caller's own, another one of the same user, or any token for
 * services and administrators. For callers that do not support restrictions, restricted tokens do not exist: such a
 * caller would grant all rights of the user.
 */
export function mayValidate(
  caller: Party,
  token: Party,
  understandsRestrictions: boolean,
): Verdict {
  if (caller.isBlocked) return 'forbidden';
  // A revoked token gets 404, also for the user who revoked it (Identity s4). The check for 404 may precede the check
  // of rights: it reveals nothing, since the holder of a token can test whether it is valid.
  if (token.restriction !== undefined && !understandsRestrictions) return 'not-found';
  // A restricted token may only validate itself, whatever roles its user has.
  if (caller.restriction !== undefined && token.id !== caller.id) return 'unauthenticated';
  if (token.account.id !== caller.account.id && !mayValidateAnyToken(caller.account)) {
    return 'unauthenticated';
  }
  return token.isBlocked ? 'forbidden' : 'allowed';
}

/** Whether the user's credentials have changed since the token was issued. */
export function isOutdated(
  { lineage, issuedAt }: Pick<TokenClaims, 'lineage' | 'issuedAt'>,
  account: Pick<Account, 'credentialGeneration' | 'tokensValidAfter'>,
): boolean {
  const { generation } = lineage;
  if (generation !== account.credentialGeneration) return true;
  return account.tokensValidAfter !== undefined && issuedAt <= account.tokensValidAfter;
}

/**
 * Whether the restriction exists if the token names one. If the key's row is deleted, the rights of its tokens are
 * unknown.
 */
export function isRestrictedAsSaid(
  { restrictionNumber }: Pick<TokenClaims, 'restrictionNumber'>,
  restriction: Pick<Restriction, 'tenantId'> | undefined,
  tenantId: string | undefined,
): boolean {
  if (restrictionNumber === undefined) return true;
  return restriction !== undefined && restriction.tenantId === tenantId;
}

/** Whether a user's tokens may be scoped to a tenant. */
export function mayUse(account: Account, tenant: Tenant | undefined): tenant is Tenant {
  return tenant?.enabled === true && hasRoleOnTenant(account, tenant.id);
}
