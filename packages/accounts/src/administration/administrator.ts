import { type Database, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findAccountById, holdUser } from '../users/account-store.js';
import { type Account, isAdministratorOf, isBlocked, isOperator } from '../users/account.js';
import { notFound, unauthenticated } from '../shared/problems.js';

/** What binds the administrators of account domains; nothing of it binds the operator. */
export interface AdministrationRules {
  /** Names of the roles that they may give and take. */
  readonly grantableRoles: readonly string[];
  /** Users that an account domain may have, and as many tenants. */
  readonly accountDomainQuota: number;
  /** Role assignments that a user may have. */
  readonly roleAssignmentQuota: number;
}

/** Who manages accounts over the network, and how far that reaches. */
export interface Administrator {
  readonly account: Account;
  /** Undefined: everywhere, as the operator. */
  readonly accountDomainId: string | undefined;
  readonly rules: AdministrationRules;
}

/** Undefined: the account administers nothing. */
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
  throw refused('this needs the role admin on the account domain, or the role of the operator');
}

/** @throws ServiceError forbidden */
export function requireOperator({ accountDomainId }: Administrator): void {
  if (accountDomainId !== undefined) throw refused('this needs the role of the operator');
}

/**
 * The administrator as of now, at the beginning of a transaction that changes something. What ends all tokens of a user waits
 * for the transaction, or else is seen here: nothing is changed with a right that was taken away before.
 *
 * @throws ServiceError unauthenticated, forbidden
 */
export async function confirmAdministrator(
  trx: Database,
  { id, credentialGeneration, domain }: Account,
  rules: AdministrationRules,
): Promise<Administrator> {
  // Quotas are counted: one change of an account domain at a time.
  await lockName(trx, 'accountDomain', domain.id);
  await holdUser(trx, id);
  const account = await findAccountById(trx, id);
  if (account?.credentialGeneration !== credentialGeneration) throw unauthenticated();
  if (isBlocked(account)) throw unauthenticated();
  return getAdministrator(account, rules);
}

/** @throws ServiceError not-found: what is of another account domain does not exist for its administrator. */
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

/** Which account domain a list is about: undefined for all, null for none that the administrator may see. */
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

/** @throws ServiceError over-quota, never for the operator */
export function requireRoom(
  { accountDomainId }: Administrator,
  { count, quota, what }: { readonly count: number; readonly quota: number; readonly what: string },
): void {
  if (accountDomainId === undefined || count < quota) return;
  throw new ServiceError('over-quota', `no more than ${quota} ${what}`);
}
