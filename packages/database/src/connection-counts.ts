import type { Database } from './connection.js';

/** How a pool of connections is used; what waits is requests that found every connection taken. */
type ConnectionCounts = Readonly<Record<'used' | 'free' | 'waiting', number>>;

/** The pool that knex keeps (tarn); its types end before it. */
interface Pool {
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
  };
}
