import type { Database } from '@zonewright/database';
import type { Context } from '../context/context.js';
import type { ApiRequest } from './route.js';

/**
 * Makes a change in one transaction. Rolls it back if the request has timed out in the meantime, since the caller was
 * told that it failed.
 *
 * @throws ServiceError (unavailable)
 */
export async function commitInTime<T>(
  { db }: Pick<Context, 'db'>,
  { turn }: Pick<ApiRequest, 'turn'>,
  change: (trx: Database) => Promise<T>,
): Promise<T> {
  return await db.transaction(async (trx) => {
    const result = await change(trx);
    turn.checkAwaited();
    return result;
  });
}
