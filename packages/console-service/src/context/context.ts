import type { BodyBudget, RequestGate } from '@zonewright/http-api';
import type { Logger, Tracing } from '@zonewright/service-kit';
import type { Metrics } from '../metrics/metrics.js';
import type { ProjectTokens } from '../session/project-tokens.js';
import type { SessionCookie } from '../session/session-cookie.js';
import type { ConsoleSettings } from '../settings/settings.js';
import type { Identity } from '../upstream/identity.js';
import type { Streams } from '../upstream/streams.js';
import type { Upstream } from '../upstream/upstream.js';

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
