import { type Database, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Account } from '../users/account.js';
import { checkCredentials } from '../users/check-credentials.js';
import type { NewAccessKey } from './access-key.js';
import { countAccessKeys, insertAccessKeys } from './access-key-store.js';

/** Who makes and deletes keys in turns must not fill the table either: deleted ones stay until they are purged. */
const DELETED_SHARE = 10;

/**
 * Gives keys to their owners, all or none, with the token of `caller`.
 *
 * @throws ServiceError over-quota when an owner would have too many, conflict when an id is taken.
 */
export async function addAccessKeys(
  transaction: Database,
  keys: readonly NewAccessKey[],
  { caller, quota }: { readonly caller: Account; readonly quota: number },
): Promise<void> {
  const added = new Map<string, number>();
  for (const { userId } of keys) added.set(userId, (added.get(userId) ?? 0) + 1);
  // In one order, so that two requests cannot wait for each other.
  for (const [userId, count] of [...added].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    // Two that count the same keys at once cannot both be right.
    await lockName(transaction, 'accessKeys', userId);
    await checkQuota(transaction, quota, { userId, count });
  }
  await insertAccessKeys(transaction, keys);
  await checkCredentials(transaction, caller);
}

async function checkQuota(
  transaction: Database,
  quota: number,
  { userId, count }: { readonly userId: string; readonly count: number },
): Promise<void> {
  const { usable, deleted } = await countAccessKeys(transaction, userId);
  if (usable + count > quota) {
    const details = `a user may have ${quota} access keys and has ${usable}`;
    throw new ServiceError('over-quota', details, { details });
  }
  if (deleted >= quota * DELETED_SHARE) {
    const details = `the user has deleted ${deleted} access keys that are not yet purged`;
    throw new ServiceError('over-quota', details, { details });
  }
}
