import type { Database } from '@zonewright/database';
import type { Context } from '../context.js';
import type { ApiRequest } from '../http/route.js';

/**
 * Makes a change in one transaction, unless that takes so long that its caller has been told that it was not made.
 *
 * @throws ServiceError (unavailable)
 */
export async function commitInTime<T>(
  { db }: Pick<Context, 'db'>,
  { turn }: Pick<ApiRequest, 'turn'>,
  change: (trx: Database) => Promise<T>,
  isolationLevel: 'read committed' | 'serializable' = 'read committed',
): Promise<T> {
  const perform = async (trx: Database) => {
    const result = await change(trx);
    turn.checkAwaited();
    return result;
  };
  return await db.transaction(perform, { isolationLevel });
}
