/** Maximum number of rows of a page. */
export const PAGE_ROWS = 1000;

/**
 * All rows of a list, page by page as they are read: leaving the loop asks for no more of them.
 *
 * @param page the rows behind one, in the order of the list
 */
export async function* followPages<T extends { readonly id: string | number }>(
  page: (marker: T['id'] | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T, void, undefined> {
  for (let marker: T['id'] | undefined; ;) {
    const rows = await page(marker);
    yield* rows;
    marker = rows.at(-1)?.id;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** All of a list at once, for what fits into memory. */
export async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}
