/** Number of concurrent requests. A user is waiting, but others use the service as well. */
const AT_ONCE = 4;

interface Outcome<T> {
  readonly done: readonly T[];
  /** Undefined if there was no error. */
  readonly failure: { readonly item: T; readonly error: unknown } | undefined;
}

interface Options {
  /** When it is aborted, no more items are started, and those in progress are finished. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Processes many items, several at a time, until all are processed, one fails or the signal is aborted. */
export async function doWithEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  { signal, onProgress }: Options = {},
): Promise<Outcome<T>> {
  const done: T[] = [];
  let failure: Outcome<T>['failure'];
  const waiting = items.values();
  const takeTurns = async () => {
    for (const item of waiting) {
      if (signal?.aborted === true || failure !== undefined) return;
      try {
        await work(item);
        done.push(item);
        onProgress?.(done.length);
      } catch (error) {
        failure ??= { item, error };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return { done, failure };
}

/** Returns the rows between two rows in either order, including both. */
export function rowsBetween<T>(rows: readonly T[], one: number, other: number): readonly T[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1);
}
