import { ServiceError } from '@zonewright/service-kit';
import type { Database } from './connection.js';

/** A value for a `?` in a statement. */
type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/** Returns the rows of a statement. */
export async function queryRows<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T[]> {
  const { rows } = await db.raw<{ rows: T[] }>(statement, [...bindings] as string[]);
  return rows;
}

/** Returns the first row of a statement, if there is one. */
export async function queryRow<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T | undefined> {
  const [row] = await queryRows<T>(db, statement, bindings);
  return row;
}

/**
 * Returns the row of a statement that should have one: an insert with `returning`, or an update of a row that was just
 * read.
 * @throws ServiceError not-found if somebody has deleted that row in the meantime
 */
export async function queryReturning<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T> {
  const row = await queryRow<T>(db, statement, bindings);
  if (row === undefined) throw new ServiceError('not-found', 'it was deleted in the meantime');
  return row;
}

/** A statement that PostgreSQL plans once per connection; its name identifies the text. */
export interface PreparedStatement {
  readonly name: string;
  /** The text, with $1, $2 and so on for the values. */
  readonly text: string;
}

/** The part of knex's client that acquires and releases connections of pg. */
interface Pool {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
}

interface Connection {
  query(statement: PreparedStatement & { values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/** Creates a connection if none exists; the next statement uses it. */
export async function connect(db: Database): Promise<void> {
  const pool = db.client as Pool;
  await pool.releaseConnection(await pool.acquireConnection());
}

/**
 * Runs a frequent statement on a connection of the pool, without knex. Its builder, events and conversions take longer
 * than pg and the statement together. The errors are those of the pool and of pg, as with knex.
 *
 * @param beforeSend called when a connection is available, for which the call may have waited; it throws an error if
 * the statement must not be sent
 * @returns the rows
 */
export async function runPrepared<Row>(
  db: Database,
  statement: PreparedStatement,
  values: readonly unknown[],
  beforeSend?: () => void,
): Promise<Row[]> {
  const pool = db.client as Pool;
  const connection = await pool.acquireConnection();
  try {
    beforeSend?.();
    const { rows } = await connection.query({ ...statement, values: [...values] });
    return rows as Row[];
  } finally {
    await pool.releaseConnection(connection);
  }
}
