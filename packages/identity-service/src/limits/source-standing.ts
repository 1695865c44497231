import { sourceNetwork, sourceSite } from '@zonewright/service-kit';

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
  readonly #failures = new Map<string, Failures>();
  /** Networks from which somebody has logged in. */
  readonly #known = new Set<string>();

  /** The less, the sooner it is a source's turn; whom nothing is known of has 0. */
  costOf(source: string): number {
    const network = sourceNetwork(source);
    const failures = this.#count(network) + SITE_SHARE * this.#count(sourceSite(source));
    return this.#known.has(network) ? failures - 1 : failures;
  }

  addFailure(source: string): void {
    for (const place of [sourceNetwork(source), sourceSite(source)]) {
      const count = this.#count(place) + 1;
      this.#failures.delete(place);
      this.#failures.set(place, { count, at: performance.now() });
    }
    while (this.#failures.size > MAX_ENTRIES) dropOldest(this.#failures);
  }

  addSuccess(source: string): void {
    const network = sourceNetwork(source);
    this.#known.delete(network);
    this.#known.add(network);
    if (this.#known.size > MAX_ENTRIES) dropOldest(this.#known);
  }

  #count(place: string): number {
    const known = this.#failures.get(place);
    if (known === undefined) return 0;
    return known.count * 2 ** ((known.at - performance.now()) / HALF_LIFE_MS);
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
