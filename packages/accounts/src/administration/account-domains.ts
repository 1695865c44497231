import type { Database } from '@zonewright/database';
import { notFound } from '../shared/problems.js';
import {
  type AccountDomain,
  type AccountDomainPage,
  findAccountDomainById,
  listAccountDomainPage,
} from '../users/account-domains.js';
import type { Account } from '../users/account.js';
import {
  type AdministrationRules,
  type Administrator,
  getAdministrator,
  requireWithin,
} from './administrator.js';

/** Returns a page of the account domains that an administrator manages, by id. */
export async function listAccountDomainsAs(
  db: Database,
  { accountDomainId }: Administrator,
  page: Omit<AccountDomainPage, 'id'>,
): Promise<AccountDomain[]> {
  return await listAccountDomainPage(db, { ...page, id: accountDomainId });
}

/**
 * Returns the caller's own account domain, or one that the caller manages.
 * @throws ServiceError not-found, forbidden
 */
export async function getAccountDomainAs(
  db: Database,
  account: Account,
  { id, rules }: { readonly id: string; readonly rules: AdministrationRules },
): Promise<AccountDomain> {
  if (id !== account.domain.id) {
    requireWithin(getAdministrator(account, rules), id, 'account domain');
  }
  const domain = await findAccountDomainById(db, id);
  if (domain === undefined) throw notFound('account domain not found');
  return domain;
}
