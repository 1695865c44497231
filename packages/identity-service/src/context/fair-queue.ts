import { BoundedMap, Overload, sourceNetwork, sourceSite, Ticker } from '@zonewright/service-kit';

interface Waiter {
  readonly network: string;
  readonly site: string;
  readonly cost: number;
  readonly until: number;
  readonly fails: boolean;
  readonly enter: (leave: () => void) => void;
  readonly refuse: (error: Overload) => void;
}

interface FairQueueOptions {
  /**
   * Maximum number of concurrent operations. If there are several slots, one is reserved for sources without failures.
   */
  readonly places: number;
  readonly standing: SourceStanding;
  readonly onRefused: () => void;
}

const MAX_WAITERS = 256;
/** Time limit of the wait. Most of the 2 s for a response must be left for the work. */
const MAX_WAIT_MS = 500;
/** Precision of the time limit. */
const TICK_MS = 50;

/**
 * Admits work in an order that a flood cannot disturb. The source with the fewest recent failures is first, and waiting
 * requests count like failures, so that equal sources alternate. If too many wait, the last in this order is rejected.
 * The others are rejected only after the time limit: a client that retries without a pause would otherwise occupy the
 * core that hashes passwords.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #waiters: Waiter[] = [];
  #atWork = 0;
  #failingAtWork = 0;
  readonly #ticker = new Ticker(TICK_MS, () => this.#refuseLate());

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Takes a free slot, if there is one for this source. @returns the function that releases it */
  tryEnter(source: string): (() => void) | undefined {
    const fails = this.#options.standing.fails(source);
    return this.#hasPlace(fails) ? this.#take(fails) : undefined;
  }

  /** Waits for a slot. @returns the function that releases it @throws Overload if that takes too long */
  async enter(source: string): Promise<() => void> {
    const slot = this.tryEnter(source);
    if (slot !== undefined) return slot;
    const network = sourceNetwork(source);
    const site = sourceSite(source);
    const fails = this.#options.standing.fails(source);
    const ownCost = this.#options.standing.costOf(source) + this.#waitingCost(network, site);
    // Failures lose weight over time, so without this a later request would overtake earlier ones of its own network.
    const before = this.#waiters.findLast((other) => other.network === network);
    const cost = Math.max(ownCost, before?.cost ?? ownCost);
    return await new Promise((enter, refuse) => {
      const until = performance.now() + MAX_WAIT_MS;
      const index = this.#waiters.findLastIndex((other) => other.cost <= cost) + 1;
      this.#waiters.splice(index, 0, { network, site, cost, until, fails, enter, refuse });
      if (this.#waiters.length > MAX_WAITERS) this.#refuse(this.#waiters.pop());
      this.#ticker.begin();
    });
  }

  #hasPlace(fails: boolean): boolean {
    const { places } = this.#options;
    const placesOfFailing = Math.max(1, places - 1);
    return this.#atWork < places && (!fails || this.#failingAtWork < placesOfFailing);
  }

  #take(fails: boolean): () => void {
    this.#atWork += 1;
    if (fails) this.#failingAtWork += 1;
    return () => {
      this.#atWork -= 1;
      if (fails) this.#failingAtWork -= 1;
      this.#admitNext();
    };
  }

  /** Gives the slot to the next request at once, so that a new one cannot take it. */
  #admitNext(): void {
    const index = this.#waiters.findIndex(({ fails }) => this.#hasPlace(fails));
    const [next] = index === -1 ? [] : this.#waiters.splice(index, 1);
    next?.enter(this.#take(next.fails));
  }

  #waitingCost(network: string, site: string): number {
    let cost = 0;
    for (const waiter of this.#waiters) {
      if (waiter.network === network) cost += 1;
      if (waiter.site === site) cost += SITE_SHARE;
    }
    return cost;
  }

  /** @returns whether other requests still wait */
  #refuseLate(): boolean {
    const now = performance.now();
    const late = this.#waiters.filter(({ until }) => until <= now);
    if (late.length > 0) this.#waiters = this.#waiters.filter(({ until }) => until > now);
    for (const waiter of late) this.#refuse(waiter);
    return this.#waiters.length > 0;
  }

  #refuse(waiter: Waiter | undefined): void {
    this.#options.onRefused();
    waiter?.refuse(new Overload());
  }
}

interface Failures {
  readonly count: number;
  readonly at: number;
}

/** Time after which a failure counts half, in milliseconds. */
const HALF_LIFE_MS = 60_000;
/** Weight of a failure in another network of the same site. */
const SITE_SHARE = 1 / 8;
const MAX_ENTRIES = 20_000;
/**
 * Weighted number of failures from which a source counts as failing. Two mistyped passwords of a person stay below it.
 */
const FAILS_FROM = 3;

/**
 * Priority of sources by their recent logins. It only sorts requests: no source is rejected because of it while slots
 * are free.
 */
export class SourceStanding {
  /** Failures by network, and by site. */
  readonly #failures = new BoundedMap<string, Failures>(MAX_ENTRIES);
  /** Networks with a successful login. */
  readonly #known = new BoundedMap<string, true>(MAX_ENTRIES);

  /** Returns the priority of a source. A lower number is served sooner. An unknown source has 0. */
  costOf(source: string): number {
    const network = sourceNetwork(source);
    const failures = this.#count(network) + SITE_SHARE * this.#count(sourceSite(source));
    return this.#known.has(network) ? failures - 1 : failures;
  }

  /** Whether this source has failed in the last minutes. */
  fails(source: string): boolean {
    return this.#count(sourceNetwork(source)) >= FAILS_FROM;
  }

  addFailure(source: string): void {
    for (const place of [sourceNetwork(source), sourceSite(source)]) {
      const count = this.#count(place) + 1;
      this.#failures.set(place, { count, at: performance.now() });
    }
  }

  addSuccess(source: string): void {
    this.#known.set(sourceNetwork(source), true);
  }

  #count(place: string): number {
    const known = this.#failures.get(place);
    if (known === undefined) return 0;
    return known.count * 2 ** ((known.at - performance.now()) / HALF_LIFE_MS);
  }
}
