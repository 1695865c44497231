import type { Answer } from './answer.js';
import { ApiError } from './errors.js';

/** Maximum number of rows on a page. */
export const PAGE_ROWS = 1000;

/**
 * Yields all rows of a list and fetches each page when it is needed.
 *
 * @param page fetches the rows after a given one, in the order of the list
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

/** Returns all rows of a list at once, for lists that fit into memory. */
export async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Treats 404 as success if a deletion was repeated because its first response was lost. */
export async function deleteOnce(deletion: Promise<Answer<undefined>>): Promise<Answer<undefined>> {
  try {
    return await deletion;
  } catch (error) {
    if (!isOfRepetition(error, 404)) throw error;
    return {
      value: undefined,
      etag: undefined,
      serial: undefined,
      publication: undefined,
      total: undefined,
      requestId: error.requestId,
    };
  }
}

/** Whether an error may be due to an earlier attempt of the same call whose response was lost. */
export function isOfRepetition(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status && error.isAfterUnknown;
}
