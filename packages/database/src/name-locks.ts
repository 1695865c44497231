import { createHash } from 'node:crypto';
import type { Database } from './connection.js';

/**
 * What can be locked beside rows, in the order in which a transaction takes them; rows come after all of these,
 * zones by id. The numbers are the first key of pg_advisory_xact_lock and only have to differ.
 */
const LOCK_CLASS = {
  idempotencyKey: 7_255_401,
  registrableDomain: 7_255_402,
  tenant: 7_255_403,
  /** By the operator's command: one account document at a time. */
  accountImport: 7_255_404,
} as const;

/**
 * Held to the end of the transaction. The second key has 32 bits: two names may share one, and then wait for
 * each other without need.
 */
export async function lockName(
  trx: Database,
  lockClass: keyof typeof LOCK_CLASS,
  name: string,
): Promise<void> {
  const key = createHash('sha256').update(name).digest().readInt32BE(0);
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [LOCK_CLASS[lockClass], key]);
}
