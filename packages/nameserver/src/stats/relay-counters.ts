import { Counter, Histogram, type Registry } from 'prom-client';

/** Kinds of messages that are relayed. */
export type RelayedKind = 'update' | 'query' | 'transfer' | 'notify';

/** Outcome of a message: an answer of the DNS API, SERVFAIL, an answer of this server, a repeated answer, or none. */
type RelayOutcome = 'answered' | 'failed' | 'refused' | 'repeated' | 'dropped';

/** Counters of the relay, for metrics. */
export interface RelayCounters {
  readonly count: (kind: RelayedKind, outcome: RelayOutcome) => void;
  /** Time from arrival to response, for messages that were answered or failed. */
  readonly time: (kind: RelayedKind, seconds: number) => void;
}

/** Counters that work before the registry exists, since the relay is created first. */
interface RelayMetrics extends RelayCounters {
  readonly register: (registry: Registry) => void;
}

/** Metrics of messages that the DNS API answers (ADR 0033, ADR 0040). */
export function createRelayMetrics(): RelayMetrics {
  const messages = new Counter({
    name: 'zonewright_nameserver_relayed_messages_total',
    help: 'Relayed updates, signed queries and NOTIFY messages, by outcome.',
    labelNames: ['kind', 'outcome'],
    registers: [],
  });
  const seconds = new Histogram({
    name: 'zonewright_nameserver_relayed_seconds',
    help: 'Time from the arrival of a relayed message to its answer.',
    labelNames: ['kind'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
    registers: [],
  });
  return {
    register: (registry) => {
      registry.registerMetric(messages);
      registry.registerMetric(seconds);
    },
    count: (kind, outcome) => {
      messages.inc({ kind, outcome });
    },
    time: (kind, time) => {
      seconds.observe({ kind }, time);
    },
  };
}
