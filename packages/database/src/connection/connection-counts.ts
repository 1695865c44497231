import type { Knex } from 'knex';

/**
 * How a pool of connections is used; what waits is requests that found every connection taken, the limit what it may open
 * at most.
 */
type ConnectionCounts = Readonly<Record<'used' | 'free' | 'waiting' | 'limit', number>>;

/** The pool that knex keeps (tarn); its types end before it. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Counts the connections of a database that openDatabase opened; all are 0 once it was destroyed. */
export function countConnections(db: Knex): ConnectionCounts {
  const { pool } = db.client as { readonly pool?: Pool };
  return {
    used: pool?.numUsed() ?? 0,
    free: pool?.numFree() ?? 0,
    waiting: pool?.numPendingAcquires() ?? 0,
    limit: pool?.max ?? 0,
  };
}

/** Databases that were opened and may still be in use, and how many listeners run. */
const opened = new Set<WeakRef<Knex>>();
let listeners = 0;

/** Called for each database that is opened, so that nobody has to keep a list of pools in step with the code. */
export function noteDatabase(db: Knex): void {
  opened.add(new WeakRef(db));
}

/** Called with 1 for a listener that starts, and with -1 when it stops: each has a connection of its own. */
export function noteListener(change: 1 | -1): void {
  listeners += change;
}

/** How many connections to PostgreSQL this process opens at most: of all pools, and one of each listener. */
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
