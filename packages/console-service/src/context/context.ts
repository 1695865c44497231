import {
  type BodyBudget,
  type Exchange,
  type Operation as OperationOfAnyApi,
  type Reply,
  type RequestGate,
  RequestMetrics,
} from '@zonewright/http-api';
import {
  type Logger,
  nearestManifest,
  ServiceRegistry,
  type Tracing,
} from '@zonewright/service-kit';
import { Gauge, type Registry } from 'prom-client';
import type { Identity } from '../upstream/identity.js';
import type { ProjectTokens } from '../upstream/project-tokens.js';
import type { SessionCookie } from '../upstream/session-cookie.js';
import type { Streams, Upstream } from '../upstream/upstream.js';
import type { RequestOrigin } from './origin.js';
import type { ConsoleSettings } from './settings.js';

/** Dependencies and settings that every operation receives. */
export interface Context {
  readonly settings: ConsoleSettings;
  readonly identity: Identity;
  readonly cookie: SessionCookie;
  readonly projectTokens: ProjectTokens;
  readonly upstreams: Readonly<Record<'dns' | 'identity', Upstream>>;
  readonly streams: Streams;
  readonly bodies: BodyBudget;
  readonly gate: RequestGate;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** Operation that only the console's own pages may call. */
export interface Operation extends OperationOfAnyApi {
  readonly handle: (context: Context, exchange: Exchange, place: RequestOrigin) => Promise<Reply>;
}

export const METRIC_PREFIX = 'zonewright_console';

/** Metrics of this process at /metrics. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestMetrics;
}

/** Creates a separate registry, so that several services can run in one process (tests, dev-stack). */
export function createMetrics(openStreams: () => number): Metrics {
  const registry = new ServiceRegistry({
    service: 'console-service',
    manifest: nearestManifest(import.meta.url),
    mostConnections: () => 0,
    refusals: () => new Map(),
  });
  new Gauge({
    name: `${METRIC_PREFIX}_streams`,
    help: 'Open event streams to browsers.',
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
