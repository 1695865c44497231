import type { Knex } from 'knex';

/** Usage of a connection pool. Waiting requests found no free connection. */
type ConnectionCounts = Readonly<Record<'used' | 'free' | 'waiting' | 'limit', number>>;

/** The pool of knex (tarn), which its types do not declare. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Counts the connections of a database from openDatabase. All counts are 0 after it was destroyed. */
export function countConnections(db: Knex): ConnectionCounts {
  const { pool } = db.client as { readonly pool?: Pool };
  return {
    used: pool?.numUsed() ?? 0,
    free: pool?.numFree() ?? 0,
    waiting: pool?.numPendingAcquires() ?? 0,
    limit: pool?.max ?? 0,
  };
}

/** Databases in use, and the number of running listeners. */
const opened = new Set<WeakRef<Knex>>();
let listeners = 0;

/** Called for each opened database, so that no list of pools has to be maintained. */
export function noteDatabase(db: Knex): void {
  opened.add(new WeakRef(db));
}

/** Called with 1 when a listener starts and with -1 when it stops. Each has a connection of its own. */
export function noteListener(change: 1 | -1): void {
  listeners += change;
}

/**
 * Returns how many connections to PostgreSQL this process may open: the sum of all pools, and one for each listener.
 */
export function countMostConnections(): number {
  let most = listeners;
  for (const reference of opened) {
    const db = reference.deref();
    const limit = db === undefined ? 0 : countConnections(db).limit;
    if (limit === 0) opened.delete(reference);
    most += limit;
  }
  return most;
}
