import type { Database } from './connection.js';

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
export function countConnections(db: Database): ConnectionCounts {
  const { pool } = db.client as { readonly pool?: Pool };
  return {
    used: pool?.numUsed() ?? 0,
    free: pool?.numFree() ?? 0,
    waiting: pool?.numPendingAcquires() ?? 0,
    limit: pool?.max ?? 0,
  };
}
