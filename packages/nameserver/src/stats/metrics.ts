import { countMostConnections, listRefusals } from '@zonewright/database';
import { typeMnemonic } from '@zonewright/dns-records';
import { nearestManifest, ServiceRegistry } from '@zonewright/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import { OUTCOME_NAMES } from '../message/outcome.js';
import { OTHER_TYPES, type QueryCounters } from './query-counters.js';
import { rcodeName } from '../wire/protocol.js';
import { registerResponseSizes } from './response-sizes.js';
import { registerTransferMetrics } from './transfer-counters.js';
import type { TransferCounters } from './transfer-counters.js';
import type { TransportCounters } from './transport-counters.js';

/** Sources of values that are read when Prometheus scrapes. */
export interface MetricSources {
  readonly counters: TransportCounters;
  readonly transfers: TransferCounters;
  readonly peers: () => number;
  readonly runningTransfers: () => number;
  readonly openTcpConnections: () => number;
  readonly zones: () => number;
  readonly records: () => number;
  readonly imageOctets: () => number;
  /** Infinity if no zone is signed. */
  readonly signatureSecondsLeft: () => number;
  readonly failedZones: () => number;
  readonly failedSnapshots: () => number;
  /** Time in seconds since 1970. 0 if none was written. */
  readonly snapshotWrittenSeconds: () => number;
  readonly isFeedReachable: () => boolean;
  readonly isDatabaseBelieved: () => boolean;
  /** Seconds since the last reading of the feed. */
  readonly feedLagSeconds: () => number;
  /** Time in seconds since 1970. */
  readonly lastAppliedSeconds: () => number;
}

/** Creates a registry with all metrics of the nameserver (docs/reference/metrics.md) and of its process. */
export function createRegistry(sources: MetricSources): Registry {
  const registry = new ServiceRegistry({
    service: 'nameserver',
    manifest: nearestManifest(import.meta.url),
    mostConnections: countMostConnections,
    refusals: listRefusals,
  });
  registerQueryMetrics(registry, sources.counters);
  registerResponseSizes(registry, sources.counters);
  registerTransportMetrics(registry, sources);
  registerZoneMetrics(registry, sources);
  registerTransferMetrics(registry, sources);
  return registry;
}

function registerQueryMetrics(registry: Registry, counters: TransportCounters): void {
  const add = (name: string, help: string, read: (queries: QueryCounters) => LabeledCounts) => {
    const label = read(counters.udp.queries).label;
    new Counter({
      name,
      help,
      labelNames: ['transport', label],
      registers: [registry],
      collect() {
        this.reset();
        for (const transport of ['udp', 'tcp'] as const) {
          const { counts, nameOf } = read(counters[transport].queries);
          counts.forEach((count, index) => {
            if (count > 0) this.inc({ transport, [label]: nameOf(index) }, count);
          });
        }
      },
    });
  };
  add('zonewright_nameserver_queries_total', 'Queries, by outcome.', ({ byOutcome }) => ({
    label: 'outcome',
    counts: byOutcome,
    nameOf: (outcome) => OUTCOME_NAMES[outcome] ?? 'other',
  }));
  add('zonewright_nameserver_responses_total', 'Responses, by RCODE.', ({ byRcode }) => ({
    label: 'rcode',
    counts: byRcode,
    nameOf: rcodeName,
  }));
  add('zonewright_nameserver_questions_total', 'Questions, by type.', ({ byType }) => ({
    label: 'type',
    counts: byType,
    nameOf: (type) => (type === OTHER_TYPES ? 'other' : typeMnemonic(type)),
  }));
  add(
    'zonewright_nameserver_query_features_total',
    'Queries and responses, by feature.',
    (queries) => ({
      label: 'feature',
      counts: Float64Array.of(queries.withEdns, queries.withValidCookie, queries.truncated),
      nameOf: (index) => ['edns', 'valid_cookie', 'truncated'][index] ?? 'other',
    }),
  );
}

interface LabeledCounts {
  readonly label: string;
  readonly counts: Float64Array;
  readonly nameOf: (index: number) => string;
}

function registerTransportMetrics(registry: Registry, sources: MetricSources): void {
  const { counters } = sources;
  const { tcp } = counters;
  addCounter(
    registry,
    'udp_send_errors_total',
    'UDP answers that could not be sent.',
    () => counters.udp.sendErrors,
  );
  addCounter(
    registry,
    'udp_send_queue_drops_total',
    'UDP queries dropped because earlier answers were still waiting to be sent.',
    () => counters.udp.sendQueueDrops,
  );
  addCounter(
    registry,
    'rate_limit_drops_total',
    'UDP answers over the rate limit that were not sent.',
    () => counters.udp.rateLimitDrops,
  );
  addCounter(
    registry,
    'rate_limit_slips_total',
    'UDP answers over the rate limit that were sent truncated.',
    () => counters.udp.rateLimitSlips,
  );
  addCounter(
    registry,
    'faults_total',
    'Queries answered with SERVFAIL because of programming errors.',
    () => counters.udp.queries.faults + counters.tcp.queries.faults,
  );
  addGauge(registry, 'tcp_connections', 'Open TCP connections.', sources.openTcpConnections);
  addCounter(
    registry,
    'tcp_connections_accepted_total',
    'TCP connections accepted.',
    () => tcp.accepted,
  );
  addCounter(
    registry,
    'tcp_connections_displaced_total',
    'TCP connections closed for newer ones at a limit.',
    () => tcp.displaced,
  );
  addCounter(
    registry,
    'tcp_connections_timed_out_total',
    'TCP connections closed because they were idle.',
    () => tcp.timedOut,
  );
}

function registerZoneMetrics(registry: Registry, sources: MetricSources): void {
  addGauge(registry, 'zones', 'Zones that this nameserver answers for.', sources.zones);
  addGauge(
    registry,
    'records',
    'Records in the zones that this nameserver answers for.',
    sources.records,
  );
  addGauge(registry, 'image_bytes', 'Memory of zones, in bytes.', sources.imageOctets);
  addGauge(
    registry,
    'signature_seconds_left',
    'Time until the first signature expires; +Inf: no zone is signed.',
    sources.signatureSecondsLeft,
  );
  addCounter(
    registry,
    'zone_failures_total',
    'Zone versions that could not be loaded.',
    sources.failedZones,
  );
  addCounter(
    registry,
    'snapshot_failures_total',
    'Snapshots that could not be written.',
    sources.failedSnapshots,
  );
  addGauge(
    registry,
    'snapshot_written_timestamp_seconds',
    'Time of the last snapshot, in seconds since 1970.',
    sources.snapshotWrittenSeconds,
  );
  addGauge(registry, 'feed_reachable', '1 while the change feed can be read.', () =>
    Number(sources.isFeedReachable()),
  );
  addGauge(
    registry,
    'database_believed',
    '0 while the database is not trusted: it is a different one, or lacks most zones.',
    () => Number(sources.isDatabaseBelieved()),
  );
  addGauge(
    registry,
    'feed_lag_seconds',
    'Time since the change feed was last read.',
    sources.feedLagSeconds,
  );
  addGauge(
    registry,
    'feed_last_applied_timestamp_seconds',
    'Time of the last applied change, in seconds since 1970.',
    sources.lastAppliedSeconds,
  );
}

function addCounter(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `zonewright_nameserver_${name}`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `zonewright_nameserver_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
