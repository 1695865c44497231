interface BatcherOptions {
  /** Maximum number of concurrent calls. Later items wait for the next one. */
  readonly atOnce: number;
  /** Maximum number of items in a call. */
  readonly most: number;
}

type Run<T, R> = (items: readonly [T, ...T[]]) => Promise<readonly R[]>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches items into calls. A single item is sent at once; items that arrive while calls are in progress share the next
 * call. The cost of each item decreases under load.
 */
export class Batcher<T, R> {
  readonly #run: Run<T, R>;
  readonly #options: BatcherOptions;
  readonly #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  /** @param run returns a result for each item, in order. If it fails, all items fail */
  constructor(run: Run<T, R>, options: BatcherOptions) {
    this.#run = run;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.length === 0;
  }

  async do(item: T): Promise<R> {
    return await new Promise<R>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#underWay < this.#options.atOnce) void this.#call();
    });
  }

  async #call(): Promise<void> {
    this.#underWay += 1;
    // Items that arrive in the same turn of the event loop join the call.
    await new Promise((resolve) => setImmediate(resolve));
    const batcher = this.#waiting.splice(0, this.#options.most);
    const [first, ...others] = batcher.map(({ item }) => item);
    if (first !== undefined) {
      try {
        const results = await this.#run([first, ...others]);
        for (const [index, { resolve }] of batcher.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of batcher) reject(error);
      }
    }
    this.#underWay -= 1;
    if (this.#waiting.length > 0) void this.#call();
  }
}

/** Batches by key. */
export class BatchQueues {
  readonly #places = new Map<string, Batcher<unknown, unknown>>();

  /** Batches an item under a key. Equal keys need an equal `run`. */
  async do<T, R>(
    place: string,
    item: T,
    { run, ...options }: BatcherOptions & { readonly run: Run<T, R> },
  ): Promise<R> {
    const queue = this.#places.get(place) ?? new Batcher(run as Run<unknown, unknown>, options);
    this.#places.set(place, queue);
    try {
      return (await queue.do(item)) as R;
    } finally {
      if (queue.isIdle && this.#places.get(place) === queue) this.#places.delete(place);
    }
  }
}
