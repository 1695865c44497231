import { ServiceError } from '@zonewright/service-kit';
import type { Database } from './connection.js';

/** Value for a `?` in a statement. */
type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/** The rows that a statement gives. */
export async function queryRows<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T[]> {
  const { rows } = await db.raw<{ rows: T[] }>(statement, [...bindings] as string[]);
  return rows;
}

/** The first row that a statement gives, if it gives one. */
export async function queryRow<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T | undefined> {
  const [row] = await queryRows<T>(db, statement, bindings);
  return row;
}

/**
 * The row of a statement that gives one: an insert with `returning`, an update of a row just read.
 *
 * @throws ServiceError not-found when somebody has deleted that row meanwhile
 */
export async function queryReturning<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T> {
  const row = await queryRow<T>(db, statement, bindings);
  if (row === undefined) throw new ServiceError('not-found', 'it was deleted meanwhile');
  return row;
}
