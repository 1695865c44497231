import { setTimeout as delay } from 'node:timers/promises';
import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
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
const MAX_ATTEMPTS = 6;
const BACKOFF_MS = 10;

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
  const add = async (trx: Database) => {
    for (const [userId, count] of added) {
      await checkQuota(trx, context.settings.accessKeyQuota, { userId, count });
    }
    for (const key of keys) {
      await insertAccessKey(trx, key);
      request.turn.checkAwaited();
    }
    await checkCredentials(trx, caller);
  };
  // Two that count the same keys at once cannot both be right, and this role may take no lock that would part them.
  await retryConflicts(() => commitInTime(context, request, add, 'serializable'));
}

async function retryConflicts(attempt: () => Promise<void>): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (errorCode(error) !== SQLSTATE.serializationFailure) throw error;
      if (count === MAX_ATTEMPTS) {
        throw new ServiceError('unavailable', 'Too many access keys are made at once; try again.', {
          cause: error,
        });
      }
    }
    await delay(BACKOFF_MS * 2 ** count * Math.random());
  }
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
