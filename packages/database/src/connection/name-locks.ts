import { createHash } from 'node:crypto';
import type { Database } from './connection.js';

/**
 * Classes of advisory locks, in the order in which a transaction takes them. Row locks follow, zones by id. The
 * numbers are the first key of pg_advisory_xact_lock and only have to differ.
 */
const LOCK_CLASS = {
  idempotencyKey: 7_255_401,
  registrableDomain: 7_255_402,
  tenant: 7_255_403,
  /** The operator's command imports one account document at a time. */
  accountImport: 7_255_404,
  /** The key is the kind of rows. One replica at a time removes them. */
  retention: 7_255_405,
  /** The key is the user. One request at a time creates the user's access keys. */
  accessKeys: 7_255_406,
  /** The key is the kind of rules. One operator at a time adds rules. */
  nameRules: 7_255_408,
  /** The key is the tenant. One request at a time creates its peers. */
  peers: 7_255_409,
  /** The key is the account domain. One request at a time creates its users, tenants and role assignments. */
  accountDomain: 7_255_407,
} as const;

/**
 * Holds the lock until the end of the transaction. The second key has 32 bits, so two names can share one and then wait
 * for each other unnecessarily.
 */
export async function lockName(
  trx: Database,
  lockClass: keyof typeof LOCK_CLASS,
  name: string,
): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [LOCK_CLASS[lockClass], keyOf(name)]);
}

/** Returns false without waiting if another transaction holds the lock. */
export async function tryLockName(
  trx: Database,
  lockClass: keyof typeof LOCK_CLASS,
  name: string,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { isHeld: boolean }[] }>(
    'select pg_try_advisory_xact_lock(?, ?) as "isHeld"',
    [LOCK_CLASS[lockClass], keyOf(name)],
  );
  return rows[0]?.isHeld === true;
}

function keyOf(name: string): number {
  return createHash('sha256').update(name).digest().readInt32BE(0);
}
