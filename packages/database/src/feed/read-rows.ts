import type { Database } from '../connection/connection.js';

/**
 * The number of rows in one batch. More rows would block a reader that also answers queries for longer than some
 * milliseconds.
 */
export const ROWS_AT_ONCE = 1_000;

const CURSOR = 'feed';

/**
 * Reads the rows of a query in batches, within a transaction: while one batch is processed, the next one is already
 * requested. Only one such reading can run at a time.
 */
export async function* readRows<Row>(
  trx: Database,
  query: string,
  bindings: readonly unknown[] | Readonly<Record<string, unknown>>,
): AsyncGenerator<Row[], void> {
  await trx.raw(`declare ${CURSOR} no scroll cursor for ${query}`, bindings as string[]);
  let next = fetchRows<Row>(trx);
  for (;;) {
    const rows = await next;
    if (rows.length < ROWS_AT_ONCE) {
      if (rows.length > 0) yield rows;
      break;
    }
    next = fetchRows(trx);
    // If the caller stops reading, the error of the next batch is not reported.
    next.catch(() => undefined);
    yield rows;
  }
  await trx.raw(`close ${CURSOR}`);
}

/**
 * Reads rows of one zone in the order of an index. If a zone has just become large, the statistics still show it as
 * small. PostgreSQL would then sort its rows, and the caller would see no progress until all of them are sorted.
 */
export async function* readInOrder<Row>(
  trx: Database,
  query: string,
  bindings: readonly unknown[],
): AsyncGenerator<Row[], void> {
  await trx.raw('set local enable_sort = off');
  yield* readRows<Row>(trx, query, bindings);
  await trx.raw('set local enable_sort = on');
}

async function fetchRows<Row>(trx: Database): Promise<Row[]> {
  const { rows } = await trx.raw<{ rows: Row[] }>(`fetch ${ROWS_AT_ONCE} from ${CURSOR}`);
  return rows;
}
