import type { Database } from '@zonewright/database';
import { unauthenticated } from '../http/problems.js';
import type { Account } from './account.js';
import { listCredentialGenerations } from './account-store.js';

/**
 * What is made with a token while the credentials of its user change must not outlive them. To be called in the
 * transaction that makes it, after a row that refers to the user was written: its foreign key holds the user's row, for which
 * a change of credentials waits (migration 0008), so that one of the two sees the other.
 *
 * @throws ServiceError unauthenticated when credentials have changed since these accounts were read.
 */
export async function checkCredentials(
  transaction: Database,
  accounts: readonly Account[],
): Promise<void> {
  const ids = accounts.map(({ id }) => id);
  const generations = await listCredentialGenerations(transaction, ids);
  const areSame = accounts.every(
    ({ id, credentialGeneration }) => generations.get(id) === credentialGeneration,
  );
  if (!areSame) throw unauthenticated();
}
