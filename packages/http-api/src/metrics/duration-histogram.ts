import type { Histogram, Registry } from 'prom-client';

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
export class DurationCounts {
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
