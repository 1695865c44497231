/** A person waits, and others use the service as well. */
const AT_ONCE = 4;

interface Outcome<T> {
  readonly done: readonly T[];
  /** Undefined: nothing went wrong. */
  readonly failure: { readonly item: T; readonly error: unknown } | undefined;
}

interface Options {
  /** Nothing more is begun then; what is under way is finished. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Does something with each of many, several at once, until all is done, one fails or somebody says stop. */
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

/** The rows from one place to another, whichever comes first, with both. */
export function rowsBetween<T>(rows: readonly T[], one: number, other: number): readonly T[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1);
}
