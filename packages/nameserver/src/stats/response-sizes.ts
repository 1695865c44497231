import type { Histogram, Registry } from 'prom-client';
import { type QueryCounters, RESPONSE_SIZE_BOUNDS } from './query-counters.js';
import type { TransportCounters } from './transport-counters.js';

const NAME = 'zonewright_nameserver_response_size_bytes';
const HELP = 'Size of responses, in bytes.';

/**
 * Registers the response-size histogram. A histogram of prom-client must be updated for each response, which costs more
 * than some answers. This one is computed from counted sizes when it is read. A registry calls only `get` of a metric.
 */
export function registerResponseSizes(registry: Registry, counters: TransportCounters): void {
  const metric = {
    name: NAME,
    help: HELP,
    type: 'histogram',
    get: () =>
      Promise.resolve({
        name: NAME,
        help: HELP,
        type: 'histogram',
        aggregator: 'sum',
        values: (['udp', 'tcp'] as const).flatMap((transport) =>
          histogramValues(transport, counters[transport].queries),
        ),
      }),
  };
  registry.registerMetric(metric as unknown as Histogram);
}

interface HistogramValue {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Buckets are cumulative: each counts all values up to its bound. */
function histogramValues(transport: string, queries: QueryCounters): HistogramValue[] {
  let below = 0;
  const buckets = [...queries.bySize].map((count, index) => {
    below += count;
    const le = RESPONSE_SIZE_BOUNDS[index] ?? '+Inf';
    return { metricName: `${NAME}_bucket`, labels: { transport, le }, value: below };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: { transport }, value: queries.responseOctets },
    { metricName: `${NAME}_count`, labels: { transport }, value: queries.responses },
  ];
}
