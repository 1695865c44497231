import { BoundedMap, sourceNetwork, sourceSite } from '@zonewright/service-kit';

interface Failures {
  readonly count: number;
  readonly at: number;
}

/** After so long a failure counts half. */
const HALF_LIFE_MS = 60_000;
/** What a neighbour's failure counts beside one's own. */
export const SITE_SHARE = 1 / 8;
const MAX_ENTRIES = 20_000;

/**
 * How log-ins from each source have gone of late, for the order in which the next ones get their turn. It only sorts:
 * nobody is refused for it while there is room.
 */
export class SourceStanding {
  /** By network, and by site. */
  readonly #failures = new BoundedMap<string, Failures>(MAX_ENTRIES);
  /** Networks from which somebody has logged in. */
  readonly #known = new BoundedMap<string, true>(MAX_ENTRIES);

  /** The less, the sooner it is a source's turn; whom nothing is known of has 0. */
  costOf(source: string): number {
    const network = sourceNetwork(source);
    const failures = this.#count(network) + SITE_SHARE * this.#count(sourceSite(source));
    return this.#known.has(network) ? failures - 1 : failures;
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
