import type { Database } from '@zonewright/database';
import { unauthenticated } from '../problems/problems.js';
import type { Account } from './account.js';
import { findCredentialGeneration } from './account-store.js';

/**
 * What is made with a token while the credentials of its user change must not outlive them. To be called at the end of the
 * transaction that makes or activates an access key: that holds the row of its user, for which a change of credentials
 * waits (migration 0008), so that one of the two sees the other.
 *
 * @throws ServiceError unauthenticated when the credentials have changed since the account was read.
 */
export async function checkCredentials(transaction: Database, caller: Account): Promise<void> {
  const generation = await findCredentialGeneration(transaction, caller.id);
  if (generation !== caller.credentialGeneration) throw unauthenticated();
}
