import { Counter, type Histogram, type Registry } from 'prom-client';

interface RequestMetricsOptions {
  readonly registry: Registry;
  /** Prefix of metric names. */
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

/** Methods with a separate label. Node.js accepts about thirty more, and each would add time series. */
const NAMED_METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE PATCH OPTIONS'.split(' '),
);

/**
 * Counts and durations of requests, by route. Paths are not used, since they may contain tokens. The counters are plain
 * numbers until the metrics are read, because labels of prom-client cost more per request than everything else.
 */
export class RequestMetrics {
  /** Time series by route, method and status. */
  readonly #series = new Map<string, Map<string, Map<number, DurationCounts>>>();
  readonly #durations: DurationHistogram;

  constructor({ registry, metricPrefix, buckets }: RequestMetricsOptions) {
    const durations = new DurationHistogram({
      name: `${metricPrefix}_http_request_duration_seconds`,
      help: 'Time from the arrival of a request to the end of its response.',
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

/** Histogram whose time series can be used without looking up their labels for each value. */
export class DurationHistogram {
  readonly name: string;
  readonly #options: DurationHistogramOptions;
  readonly series: { readonly labels: Labels; readonly counts: DurationCounts }[] = [];

  constructor(options: DurationHistogramOptions) {
    this.#options = options;
    this.name = options.name;
    // A registry calls only get() of a metric; its type requires a class of prom-client.
    options.registry.registerMetric(this as unknown as Histogram);
  }

  /** @returns the counts of a new time series */
  begin(labels: Labels): DurationCounts {
    const counts = new DurationCounts(this.#options.buckets);
    this.series.push({ labels, counts });
    return counts;
  }

  /** Returns the same data as prom-client's own histogram. */
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

/** Durations, counted by buckets. */
class DurationCounts {
  readonly #bounds: readonly number[];
  /** Count of each bucket, not cumulative. The last bucket has no upper bound. */
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

  /** Returns cumulative counts, as Prometheus requires. */
  cumulated(): { readonly le: string | number; readonly value: number }[] {
    let value = 0;
    return this.#counts.map((count, at) => ({
      le: this.#bounds[at] ?? '+Inf',
      value: (value += count),
    }));
  }
}
