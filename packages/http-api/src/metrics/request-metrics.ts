import { Counter, type Registry } from 'prom-client';
import { type DurationCounts, DurationHistogram } from './duration-histogram.js';

interface RequestMetricsOptions {
  readonly registry: Registry;
  /** What their names begin with. */
  readonly metricPrefix: string;
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
}

interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/**
 * Counts and durations of requests, by route: never by path, which may hold a token. They are kept as plain numbers
 * and given to prom-client when somebody reads them: to name its labels for each request took more than all the rest of it.
 */
export class RequestMetrics {
  /** By route, then by method, then by status. */
  readonly #series = new Map<string, Map<string, Map<number, DurationCounts>>>();
  readonly #durations: DurationHistogram;

  constructor({ registry, metricPrefix, buckets }: RequestMetricsOptions) {
    const durations = new DurationHistogram({
      name: `${metricPrefix}_http_request_duration_seconds`,
      help: 'Time from the arrival of a request to the end of its answer.',
      buckets,
      registry,
    });
    new Counter({
      name: `${metricPrefix}_http_requests_total`,
      help: 'Requests answered.',
      labelNames: ['method', 'route', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, counts } of durations.series) this.inc(labels, counts.count);
      },
    });
    this.#durations = durations;
  }

  observe({ method, route, status, seconds }: Observation): void {
    const known = this.#series.get(route)?.get(method)?.get(status);
    (known ?? this.#begin(method, route, status)).add(seconds);
  }

  #begin(method: string, route: string, status: number): DurationCounts {
    const counts = this.#durations.begin({ method, route, status: String(status) });
    const methods = this.#series.get(route) ?? new Map<string, Map<number, DurationCounts>>();
    const statuses = methods.get(method) ?? new Map<number, DurationCounts>();
    this.#series.set(route, methods.set(method, statuses.set(status, counts)));
    return counts;
  }
}
