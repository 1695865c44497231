interface BatcherOptions<T> {
  /** Maximum number of concurrent calls. Later items wait for the next one. */
  readonly atOnce: number;
  /** Maximum number of items in a call. */
  readonly most: number;
  /** Maximum size of a call, unless one item is larger. By default there is no limit. */
  readonly mostOctets?: number;
  readonly octetsOf?: (item: T) => number;
  /** Owner of an item. The owners take turns in filling a call. By default all items have one owner. */
  readonly ownerOf?: (item: T) => string;
  /**
   * Time after which a call no longer delays the items that wait, and maximum number of such calls. By default a call
   * delays them until it ends.
   */
  readonly holdsUp?: { readonly ms: number; readonly most: number };
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
  readonly #options: BatcherOptions<T>;
  #waiting: Waiting<T, R>[] = [];
  #underWay = 0;
  /** Number of calls that no longer delay items. */
  #slow = 0;

  /** @param run returns a result for each item, in order. If it fails, all items fail */
  constructor(run: Run<T, R>, options: BatcherOptions<T>) {
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
    const batch = chooseBatch(this.#waiting, this.#options);
    const [first, ...others] = batch;
    if (first === undefined) {
      this.#underWay -= 1;
      return;
    }
    const chosen = new Set(batch);
    this.#waiting = this.#waiting.filter((each) => !chosen.has(each));
    const end = this.#holdUp();
    try {
      const results = await this.#run([first.item, ...others.map(({ item }) => item)]);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    end();
  }

  /** @returns a function that allows the next call; a timer allows it, too */
  #holdUp(): () => void {
    const { holdsUp } = this.#options;
    let isUnderWay = true;
    let isSlow = false;
    const leave = () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.#underWay -= 1;
      if (this.#waiting.length > 0) void this.#call();
    };
    const goOn = () => {
      if (this.#slow === holdsUp?.most) return;
      isSlow = true;
      this.#slow += 1;
      leave();
    };
    const timer = holdsUp && setTimeout(goOn, holdsUp.ms);
    return () => {
      clearTimeout(timer);
      if (isSlow) this.#slow -= 1;
      leave();
    };
  }
}

/** Items of the next call: the oldest of each owner, then the next of each, and so on. */
function chooseBatch<T, W extends { readonly item: T }>(
  waiting: readonly W[],
  { most, mostOctets = Infinity, octetsOf = () => 0, ownerOf = () => '' }: BatcherOptions<T>,
): readonly W[] {
  const rounds = new Map<string, number>();
  const ranked = waiting.map((each) => {
    const owner = ownerOf(each.item);
    const round = rounds.get(owner) ?? 0;
    rounds.set(owner, round + 1);
    return { each, round };
  });
  const inTurns = ranked
    .toSorted((one, other) => one.round - other.round)
    .slice(0, most)
    .map(({ each }) => each);
  let octets = 0;
  const end = inTurns.findIndex(
    ({ item }, at) => (octets += octetsOf(item)) > mostOctets && at > 0,
  );
  return end < 0 ? inTurns : inTurns.slice(0, end);
}

/** Batches by key. */
export class BatchQueues {
  readonly #places = new Map<string, Batcher<unknown, unknown>>();

  /** Batches an item under a key. Equal keys need an equal `run`. */
  async do<T, R>(
    place: string,
    item: T,
    { run, ...options }: BatcherOptions<T> & { readonly run: Run<T, R> },
  ): Promise<R> {
    const queue =
      this.#places.get(place) ??
      new Batcher(run as Run<unknown, unknown>, options as BatcherOptions<unknown>);
    this.#places.set(place, queue);
    try {
      return (await queue.do(item)) as R;
    } finally {
      if (queue.isIdle && this.#places.get(place) === queue) this.#places.delete(place);
    }
  }
}
