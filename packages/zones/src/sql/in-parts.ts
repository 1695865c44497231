import type { Database } from '@zonewright/database';

/** Rows that a statement changes at most: it has seconds, and a zone may have a million of them. */
const ROWS_AT_ONCE = 20_000;

/** Runs a statement that changes `:limit` rows at most until it has changed them all, in the transaction of the caller. */
export async function runInParts(
  trx: Database,
  sql: string,
  bindings: Readonly<Record<string, string | Date>>,
): Promise<void> {
  let changed: number;
  do {
    ({ rowCount: changed } = await trx.raw<{ rowCount: number }>(sql, {
      ...bindings,
      limit: ROWS_AT_ONCE,
    }));
  } while (changed === ROWS_AT_ONCE);
}
