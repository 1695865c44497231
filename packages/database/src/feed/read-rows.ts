import type { Database } from '../connection/connection.js';

/** What comes at once: a reader that answers queries meanwhile is held up by no more than some milliseconds. */
export const ROWS_AT_ONCE = 1_000;

const CURSOR = 'feed';

/**
 * The rows of a query in batches, in a transaction: while one is worked on the next is already on its way. One such
 * reading at a time.
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
    // Who reads no further does not see it fail.
    next.catch(() => undefined);
    yield rows;
  }
  await trx.raw(`close ${CURSOR}`);
}

/**
 * The same of one zone in the order of an index, which is followed from the first row on. A zone that has just become large is small in
 * the statistics: PostgreSQL would sort it, and who waits for a sign of life has none until all of it is sorted.
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
