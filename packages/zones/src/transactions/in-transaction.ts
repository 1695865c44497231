import { setTimeout as delay } from 'node:timers/promises';
import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';

/** Locks are taken in one order, so a second attempt is rare and a fifth means real overload. */
const MAX_ATTEMPTS = 5;
const BACKOFF_MS = 10;

const RETRIED: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
]);

/** Thrown inside a transaction that found out, too late to take it in order, that it needs another lock. */
export class LocksOutdated extends Error {
  override readonly name = 'LocksOutdated';
}

/**
 * Runs `work` in a transaction, and again when PostgreSQL chose it as the victim of a conflict.
 *
 * @param onRetry is called each time that it is run again.
 */
export async function inTransaction<T>(
  db: Database,
  work: (trx: Database) => Promise<T>,
  onRetry: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!RETRIED.has(errorCode(error)) && !(error instanceof LocksOutdated)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError('unavailable', 'Too many changes meet here at once; try again.', {
          cause: error,
        });
      }
    }
    onRetry();
    await delay(BACKOFF_MS * 2 ** attempt * Math.random());
  }
}
