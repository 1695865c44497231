import {
  countConnections,
  countMostConnections,
  listRefusals,
  type Database,
} from '@zonewright/database';
import { RequestMetrics } from '@zonewright/http-api';
import { nearestManifest, ServiceRegistry } from '@zonewright/service-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The prefix of metric names. */
export const METRIC_PREFIX = 'zonewright_dns_api';

/** Counters of this process, shown at /metrics. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
  readonly transactionRetries: Counter;
  readonly tenantRequestsRefused: Counter;
  readonly writtenOctets: Counter;
  readonly publicationWaiters: Gauge;
  readonly parentsTold: Counter<'outcome'>;
  readonly eventStreams: Gauge;
  readonly eventStreamsEnded: Counter<'reason'>;
  readonly publicationSeconds: Histogram<'outcome'>;
}

/** The sources of values that are read when Prometheus scrapes. */
interface MetricSources {
  readonly db: Database;
  readonly hearsRevocations: () => boolean;
}

/** Creates a separate registry, so that several services can run in one process (tests, dev-stack). */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new ServiceRegistry({
    service: 'dns-api',
    manifest: nearestManifest(import.meta.url),
    mostConnections: countMostConnections,
    refusals: listRefusals,
  });
  registerState(registry, sources);
  return {
    registry,
    requests: new RequestMetrics({
      registry,
      metricPrefix: METRIC_PREFIX,
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    }),
    transactionRetries: new Counter({
      name: 'zonewright_dns_api_transaction_retries_total',
      help: 'Transactions repeated after a deadlock or a serialization failure.',
      registers: [registry],
    }),
    tenantRequestsRefused: new Counter({
      name: 'zonewright_dns_api_tenant_requests_refused_total',
      help: 'Requests refused because their tenant had too many concurrent requests.',
      registers: [registry],
    }),
    parentsTold: new Counter({
      name: 'zonewright_dns_api_parents_told_total',
      help: 'Notifications to parent zones about a new DS record, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    writtenOctets: new Counter({
      name: 'zonewright_dns_api_written_bytes_total',
      help: 'Bytes written by changes, as counted for the write limit of tenants.',
      registers: [registry],
    }),
    publicationWaiters: new Gauge({
      name: 'zonewright_dns_api_publication_waiters',
      help: 'Requests that wait for the publication of their change.',
      registers: [registry],
    }),
    eventStreams: new Gauge({
      name: 'zonewright_dns_api_event_streams',
      help: 'Clients that listen to events.',
      registers: [registry],
    }),
    eventStreamsEnded: new Counter({
      name: 'zonewright_dns_api_event_streams_ended_total',
      help: 'Ended event streams, by reason.',
      labelNames: ['reason'],
      registers: [registry],
    }),
    publicationSeconds: new Histogram({
      name: 'zonewright_dns_api_publication_wait_seconds',
      help: 'Time that requests waited for publication, by outcome.',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers: [registry],
    }),
  };
}

function registerState(registry: Registry, { db, hearsRevocations }: MetricSources): void {
  new Gauge({
    name: 'zonewright_dns_api_database_connections',
    help: 'Connections to PostgreSQL, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(countConnections(db))) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'zonewright_dns_api_revocations_heard',
    help: '1 while revocations are received; otherwise every request validates its token.',
    registers: [registry],
    collect() {
      this.set(Number(hearsRevocations()));
    },
  });
}
