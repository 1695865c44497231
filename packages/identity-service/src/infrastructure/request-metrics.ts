import { Counter, type Registry } from 'prom-client';
import { type DurationCounts, DurationHistogram } from './duration-histogram.js';

interface Observation {
  readonly method: string;
  readonly pattern: string;
  readonly status: number;
  readonly seconds: number;
}

/** What is known of the requests of one method and route. */
interface Series {
  readonly labels: { readonly method: string; readonly route: string };
  readonly statuses: Map<number, number>;
  readonly durations: DurationCounts;
}

/** From an answer out of memory to one that hashed a password on a busy machine. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * Counts and durations of requests, by route: never by path, which may hold a token. They are kept as plain numbers
 * and given to prom-client when somebody reads them: to name its labels for each request took more than all the rest of it.
 */
export class RequestMetrics {
  /** By route, then by method. */
  readonly #series = new Map<string, Map<string, Series>>();
  readonly #durations: DurationHistogram;

  constructor(registry: Registry) {
    const each = () => [...this.#series.values()].flatMap((methods) => [...methods.values()]);
    new Counter({
      name: 'zonewright_identity_http_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, statuses } of each())
          for (const [status, count] of statuses) this.inc({ ...labels, status }, count);
      },
    });
    this.#durations = new DurationHistogram({
      name: 'zonewright_identity_http_request_duration_seconds',
      help: 'Time from the request line to the end of the answer',
      buckets: BUCKETS_SECONDS,
      registry,
    });
  }

  observe({ method, pattern, status, seconds }: Observation): void {
    const { statuses, durations } =
      this.#series.get(pattern)?.get(method) ?? this.#begin(method, pattern);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    durations.add(seconds);
  }

  #begin(method: string, pattern: string): Series {
    const labels = { method, route: pattern };
    const series = { labels, statuses: new Map(), durations: this.#durations.begin(labels) };
    const methods = this.#series.get(pattern) ?? new Map<string, Series>();
    this.#series.set(pattern, methods.set(method, series));
    return series;
  }
}
