import { RequestMetrics } from '@zonewright/http-api';
import { nearestManifest, ServiceRegistry } from '@zonewright/service-kit';
import { Gauge, type Registry } from 'prom-client';

export const METRIC_PREFIX = 'zonewright_console';

/** Metrics of this process, served at /metrics. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
}

/** A registry of its own, so that several services can live in one process (tests, dev-stack). */
export function createMetrics(openStreams: () => number): Metrics {
  const registry = new ServiceRegistry({
    service: 'console-service',
    manifest: nearestManifest(import.meta.url),
    mostConnections: () => 0,
  });
  new Gauge({
    name: `${METRIC_PREFIX}_streams`,
    help: 'Event streams that are passed on.',
    registers: [registry],
    collect() {
      this.set(openStreams());
    },
  });
  return {
    registry,
    requests: new RequestMetrics({
      registry,
      metricPrefix: METRIC_PREFIX,
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    }),
  };
}
