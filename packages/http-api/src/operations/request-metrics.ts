import { Counter, type Histogram, type Registry } from 'prom-client';

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

/** Node takes some thirty more from anybody, and each would be series of its own. */
const NAMED_METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE PATCH OPTIONS'.split(' '),
);

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
    const name = NAMED_METHODS.has(method) ? method : 'other';
    const known = this.#series.get(route)?.get(name)?.get(status);
    (known ?? this.#begin(name, route, status)).add(seconds);
  }

  #begin(method: string, route: string, status: number): DurationCounts {
    const counts = this.#durations.begin({ method, route, status: String(status) });
    const methods = this.#series.get(route) ?? new Map<string, Map<number, DurationCounts>>();
    const statuses = methods.get(method) ?? new Map<number, DurationCounts>();
    this.#series.set(route, methods.set(method, statuses.set(status, counts)));
    return counts;
  }
}

type Labels = Readonly<Record<string, string>>;

interface DurationHistogramOptions {
  readonly name: string;
  readonly help: string;
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
  readonly registry: Registry;
}

/** A histogram whose series count by themselves, without a look at their labels for each value. */
export class DurationHistogram {
  readonly name: string;
  readonly #options: DurationHistogramOptions;
  readonly series: { readonly labels: Labels; readonly counts: DurationCounts }[] = [];

  constructor(options: DurationHistogramOptions) {
    this.#options = options;
    this.name = options.name;
    // All that a registry does with a metric is to call get(); its type names prom-client's own classes.
    options.registry.registerMetric(this as unknown as Histogram);
  }

  /** @returns the counts of a new series. */
  begin(labels: Labels): DurationCounts {
    const counts = new DurationCounts(this.#options.buckets);
    this.series.push({ labels, counts });
    return counts;
  }

  /** What prom-client's own histogram shows. */
  get(): Promise<object> {
    const { name, help } = this.#options;
    const values = this.series.flatMap(({ labels, counts }) => [
      ...counts.cumulated().map(({ le, value }) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value,
      })),
      { metricName: `${name}_sum`, labels, value: counts.sum },
      { metricName: `${name}_count`, labels, value: counts.count },
    ]);
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }
}

/** How long something took, counted by buckets. */
class DurationCounts {
  readonly #bounds: readonly number[];
  /** Of each bucket alone; the last has no bound. */
  readonly #counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Infinity].map(() => 0);
  }

  add(seconds: number): void {
    let at = 0;
    while (seconds > (this.#bounds[at] ?? Infinity)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.sum += seconds;
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** As Prometheus wants them: of each bound, how many were no greater. */
  cumulated(): { readonly le: string | number; readonly value: number }[] {
    let value = 0;
    return this.#counts.map((count, at) => ({
      le: this.#bounds[at] ?? '+Inf',
      value: (value += count),
    }));
  }
}
