import { findFailingSecondaries } from '@zonewright/zones';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Context } from '../context/context.js';

/** Result of a request to a zone's primaries. */
export type RefreshOutcome = 'axfr' | 'ixfr' | 'current' | 'failed';

/** How the secondary zones do (ADR 0040). */
export class RefreshMetrics {
  readonly #refreshes: Counter<'outcome'>;
  readonly #seconds: Histogram<'outcome'>;

  constructor({ db, metrics, log }: Pick<Context, 'db' | 'metrics' | 'log'>) {
    const registers = [metrics.registry];
    this.#refreshes = new Counter({
      name: 'zonewright_dns_api_secondary_refreshes_total',
      help: 'Primaries of secondary zones asked by this process: the zone came (axfr, ixfr), was the latest (current), or not (failed).',
      labelNames: ['outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'zonewright_dns_api_secondary_refresh_seconds',
      help: 'From asking a primary until what it said was committed.',
      labelNames: ['outcome'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 30, 120],
      registers,
    });
    new Gauge({
      name: 'zonewright_dns_api_secondary_failing_zones',
      help: 'Secondary zones whose primaries failed three times in a row, or more.',
      registers,
      async collect() {
        try {
          this.set((await findFailingSecondaries(db)).count);
        } catch (error) {
          log.debug({ err: error }, 'failing secondary zones cannot be counted');
        }
      },
    });
  }

  count(outcome: RefreshOutcome, seconds: number): void {
    this.#refreshes.inc({ outcome });
    if (outcome !== 'failed') this.#seconds.observe({ outcome }, seconds);
  }
}
