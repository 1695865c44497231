interface TogetherOptions {
  /** How many calls are under way at a time: who comes meanwhile waits for the next one. */
  readonly atOnce: number;
  /** How many go into one call at most. */
  readonly most: number;
}

type Run<T, R> = (items: readonly [T, ...T[]]) => Promise<readonly R[]>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that take many things at a time: what comes alone goes at once, and what comes while others are under way goes together. So
 * the more there is to do, the less each costs.
 */
export class Together<T, R> {
  readonly #run: Run<T, R>;
  readonly #options: TogetherOptions;
  readonly #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  /** @param run gives a result for each item, in their order; if it fails, it fails for all of them */
  constructor(run: Run<T, R>, options: TogetherOptions) {
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
    // What arrives in the same turn of the event loop goes along.
    await new Promise((resolve) => setImmediate(resolve));
    const together = this.#waiting.splice(0, this.#options.most);
    const [first, ...others] = together.map(({ item }) => item);
    if (first !== undefined) {
      try {
        const results = await this.#run([first, ...others]);
        for (const [index, { resolve }] of together.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    this.#underWay -= 1;
    if (this.#waiting.length > 0) void this.#call();
  }
}

/** Things that are done together, by where they belong. */
export class Queues {
  readonly #places = new Map<string, Together<unknown, unknown>>();

  /** Whoever names the same place gives the same `run`. */
  async do<T, R>(
    place: string,
    item: T,
    { run, ...options }: TogetherOptions & { readonly run: Run<T, R> },
  ): Promise<R> {
    const queue = this.#places.get(place) ?? new Together(run as Run<unknown, unknown>, options);
    this.#places.set(place, queue);
    try {
      return (await queue.do(item)) as R;
    } finally {
      if (queue.isIdle && this.#places.get(place) === queue) this.#places.delete(place);
    }
  }
}
