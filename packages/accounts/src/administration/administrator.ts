import { type Database, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findAccountById, lockUserShared } from '../users/account-store.js';
import { type Account, isAdministratorOf, isBlocked, isOperator } from '../users/account.js';
import { notFound, unauthenticated } from '../shared/problems.js';

/** Limits for the administrators of account domains. They do not apply to the operator. */
export interface AdministrationRules {
  /** Names of the roles that they may grant and revoke. */
  readonly grantableRoles: readonly string[];
  /** Maximum number of users of an account domain, and of its tenants. */
  readonly accountDomainQuota: number;
  /** Maximum number of role assignments of a user. */
  readonly roleAssignmentQuota: number;
}

/** Account that manages accounts over the network, with its scope. */
export interface Administrator {
  readonly account: Account;
  /** Undefined for the operator, who manages all account domains. */
  readonly accountDomainId: string | undefined;
  readonly rules: AdministrationRules;
}

/** Returns undefined if the account does not administer anything. */
export function findAdministrator(
  account: Account,
  rules: AdministrationRules,
): Administrator | undefined {
  if (isOperator(account)) return { account, accountDomainId: undefined, rules };
  const accountDomainId = account.domain.id;
  if (!isAdministratorOf(account, accountDomainId)) return undefined;
  return { account, accountDomainId, rules };
}

/** @throws ServiceError forbidden */
export function getAdministrator(account: Account, rules: AdministrationRules): Administrator {
  const administrator = findAdministrator(account, rules);
  if (administrator !== undefined) return administrator;
  throw refused(
    'this operation requires the role admin on the account domain, or the role of the operator',
  );
}

/** @throws ServiceError forbidden */
export function requireOperator({ accountDomainId }: Administrator): void {
  if (accountDomainId !== undefined)
    throw refused('this operation requires the role of the operator');
}

/**
 * Reads the administrator at the beginning of a transaction that changes accounts. A change that ends the user's tokens
 * either waits for the transaction or is visible here, so a revoked right cannot be used.
 *
 * @throws ServiceError unauthenticated, forbidden
 */
export async function confirmAdministrator(
  trx: Database,
  { id, credentialGeneration, domain }: Account,
  rules: AdministrationRules,
): Promise<Administrator> {
  // Changes of one account domain run one at a time, since its quotas are counted.
  await lockName(trx, 'accountDomain', domain.id);
  await lockUserShared(trx, id);
  const account = await findAccountById(trx, id);
  if (account?.credentialGeneration !== credentialGeneration) throw unauthenticated();
  if (isBlocked(account)) throw unauthenticated();
  return getAdministrator(account, rules);
}

/** @throws ServiceError not-found for an administrator of another account domain */
export function requireWithin(
  { accountDomainId }: Administrator,
  found: string | undefined,
  what: string,
): void {
  if (found === undefined) throw notFound(`${what} not found`);
  if (accountDomainId !== undefined && accountDomainId !== found) {
    throw notFound(`${what} not found`);
  }
}

/** Returns the account domain of a list. Undefined means all, null means one that the administrator may not see. */
export function narrow(
  { accountDomainId }: Administrator,
  wanted: string | undefined,
): string | undefined | null {
  if (accountDomainId === undefined || wanted === undefined) return accountDomainId ?? wanted;
  return accountDomainId === wanted ? wanted : null;
}

export function refused(sentence: string): ServiceError {
  return new ServiceError('forbidden', sentence, { details: sentence });
}

/** @throws ServiceError over-quota, except for the operator */
export function requireRoom(
  { accountDomainId }: Administrator,
  { count, quota, what }: { readonly count: number; readonly quota: number; readonly what: string },
): void {
  if (accountDomainId === undefined || count < quota) return;
  throw new ServiceError('over-quota', `at most ${quota} ${what} are allowed`);
}
