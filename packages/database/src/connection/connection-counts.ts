import type { Knex } from 'knex';
import type pg from 'pg';

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

/** Called with 1 when a listener starts and with -1 when it stops. Each listener has its own connection. */
export function noteListener(change: 1 | -1): void {
  listeners += change;
}

/**
 * Returns the maximum number of connections that this process may open to PostgreSQL: those of all pools, and one for
 * each listener.
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

/**
 * SQLSTATEs of problems that an operator must fix (PostgreSQL, appendix A): insufficient resources, system errors, a
 * read-only database, missing privileges.
 */
const OF_OPERATORS = /^(53|58)|^(25006|42501)$/;

/** The last time of each SQLSTATE on any connection of this process, in milliseconds since 1970. */
const lastRefusals = new Map<string, number>();

/** Records the statements that PostgreSQL refused because of its own state. */
export function noteRefusals(client: pg.Client): void {
  client.connection.on('errorMessage', ({ code = '' }: { readonly code?: string }) => {
    if (OF_OPERATORS.test(code)) lastRefusals.set(code, Date.now());
  });
}

/** Returns the last time when PostgreSQL refused a statement of this process, by SQLSTATE. */
export function listRefusals(): ReadonlyMap<string, number> {
  return lastRefusals;
}
