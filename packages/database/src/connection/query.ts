import type { Database } from './connection.js';

/** What a statement takes in the place of a `?`. */
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

/** The row of a statement that always gives one: an insert with `returning`, an update of a row just read. */
export async function queryReturning<T>(
  db: Database,
  statement: string,
  bindings: readonly Binding[] = [],
): Promise<T> {
  const row = await queryRow<T>(db, statement, bindings);
  if (row === undefined) throw new Error('the row disappeared while it was being changed');
  return row;
}
