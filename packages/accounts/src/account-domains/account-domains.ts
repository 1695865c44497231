import { type Database, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { parseName } from '../values/parse-name.js';
import { chooseId } from '../values/choose-id.js';
import {
  type AccountDomain,
  type AccountStatus,
  findAccountDomain,
  insertAccountDomain,
  updateAccountDomainStatus,
} from './account-domain-store.js';

/**
 * The account domain of whoever is created without naming one. Keystone's own id for it, so that version 3
 * clients find it with the settings that they have by default.
 */
export const DEFAULT_ACCOUNT_DOMAIN = { id: 'default', name: 'Default' } as const;

/** @throws ServiceError conflict, invalid */
export async function createAccountDomain(
  db: Database,
  input: { readonly name: string; readonly id?: string | undefined },
): Promise<AccountDomain> {
  const domain = { id: chooseId(input.id), name: parseName('the name', input.name) };
  return await orConflict(insertAccountDomain(db, domain), {
    account_domains_pkey: `an account domain with the id "${domain.id}" exists already`,
    account_domains_name_unique: `an account domain named "${domain.name}" exists already`,
  });
}

/** By id or name. @throws ServiceError not-found */
export async function getAccountDomain(db: Database, reference: string): Promise<AccountDomain> {
  const domain = await findAccountDomain(db, reference);
  if (domain === undefined) {
    throw new ServiceError('not-found', `no account domain has the id or name "${reference}"`);
  }
  return domain;
}

/**
 * What all users of the account domain may still do: nothing when it is disabled or suspended.
 *
 * @throws ServiceError not-found
 */
export async function setAccountDomainStatus(
  db: Database,
  reference: string,
  change: { readonly status: AccountStatus; readonly statusCode?: number | undefined },
): Promise<AccountDomain> {
  const { id } = await getAccountDomain(db, reference);
  return await updateAccountDomainStatus(db, id, change.status, change.statusCode ?? null);
}
