import { type Database, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Account } from '../accounts/account.js';
import { checkCredentials } from '../accounts/check-credentials.js';
import type { Context } from '../context.js';
import type { ApiRequest } from '../http/route.js';
import type { AccessKey } from './access-key.js';
import { countAccessKeys, insertAccessKey } from './access-key-store.js';
import { commitInTime } from './commit-in-time.js';

/** Who makes and deletes keys in turns must not fill the table either: deleted ones stay until they are purged. */
const DELETED_SHARE = 10;

/**
 * Gives keys to their owners, all or none.
 *
 * @throws ServiceError over-quota when an owner would have too many, conflict when an id is taken.
 */
export async function addAccessKeys(
  context: Pick<Context, 'db' | 'settings'>,
  request: Pick<ApiRequest, 'turn'>,
  caller: Account,
  keys: readonly AccessKey[],
): Promise<void> {
  const added = new Map<string, number>();
  for (const { userId } of keys) added.set(userId, (added.get(userId) ?? 0) + 1);
  await commitInTime(context, request, async (trx) => {
    // In one order, so that two requests cannot wait for each other.
    for (const [userId, count] of [...added].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      // Two that count the same keys at once cannot both be right.
      await lockName(trx, 'accessKeys', userId);
      await checkQuota(trx, context.settings.accessKeyQuota, { userId, count });
    }
    for (const key of keys) {
      await insertAccessKey(trx, key);
      request.turn.checkAwaited();
    }
    await checkCredentials(trx, caller);
  });
}

async function checkQuota(
  trx: Database,
  quota: number,
  { userId, count }: { readonly userId: string; readonly count: number },
): Promise<void> {
  const { usable, deleted } = await countAccessKeys(trx, userId);
  if (usable + count > quota) {
    const details = `a user may have ${quota} access keys and has ${usable}`;
    throw new ServiceError('over-quota', details, { details });
  }
  if (deleted >= quota * DELETED_SHARE) {
    const details = `the user has deleted ${deleted} access keys that are not yet purged`;
    throw new ServiceError('over-quota', details, { details });
  }
}
