import { FairSlots, type FairSlotsOptions } from '@zonewright/service-kit';
import type { Metrics } from '../settings/metrics.js';
import type { DnsApiSettings } from '../settings/settings.js';

/** Slots of this process that tenants share, so that each gets its part whatever the others do. */
export interface TenantShares {
  /** Requests that are answered within 2 s. */
  readonly short: FairSlots;
  /** Requests that read or write a whole zone, which takes time and memory. */
  readonly long: FairSlots;
  /** Lists that were rendered before, which need next to nothing. */
  readonly kept: FairSlots;
  /** Bodies that take time to arrive and to be read. */
  readonly largeBodies: FairSlots;
  /** Bytes of bodies of requests that arrive or are worked on. */
  readonly bodies: FairSlots;
  /** Bytes of responses that their clients have not received yet. */
  readonly answers: FairSlots;
}

const MEBIBYTE = 1_048_576;

const LONG_AT_A_TIME = { divided: 1, total: 4 };
/** Queue long enough for the successive imports of a user who migrates. */
const LONG_QUEUE = { perOwner: 64, waitMs: 30_000 };
/** The same as the gate has for all requests together. */
const SHORT_WAIT_MS = 500;
/** Connections to PostgreSQL that no tenant can hold alone. */
const FREE_CONNECTIONS = 4;

/** The other bodies of a tenant wait unread: slow ones do not delay other tenants. */
const LARGE_BODIES = {
  divided: 2,
  total: Infinity,
  queue: { perOwner: 64, waitMs: 30_000 },
};

/** Cached lists are fast: the rest of the gate is enough for all other requests. */
const KEPT_SHARE = 0.75;

/** Part of the questions about tokens that are under way. The identity service answers each in milliseconds. */
const QUESTION_SHARE = 0.25;
/** Together with the time for the query this is less than the 2 s within which a request is answered. */
const QUESTION_WAIT_MS = 200;

const BYTES = { perOwner: 16 * MEBIBYTE, total: 64 * MEBIBYTE };

/** Slots for questions to the identity service. */
export function createQuestionSlots(settings: DnsApiSettings, metrics: Metrics): FairSlots {
  const short = shortSlots(settings, metrics);
  return new FairSlots({
    ...short,
    divided: Math.ceil(settings.http.load.maxRequests * QUESTION_SHARE),
    queue: { ...short.queue, waitMs: QUESTION_WAIT_MS },
  });
}

export function createTenantShares(settings: DnsApiSettings, metrics: Metrics): TenantShares {
  const { http, database } = settings;
  const connections = database.maxConnections - FREE_CONNECTIONS - LONG_AT_A_TIME.divided;
  const short = shortSlots(settings, metrics);
  const { onRefused } = short;
  return {
    short: new FairSlots({ ...short, divided: Math.max(1, connections) }),
    long: new FairSlots({ ...LONG_AT_A_TIME, queue: LONG_QUEUE, onRefused }),
    kept: new FairSlots({ ...short, divided: Math.ceil(http.load.maxRequests * KEPT_SHARE) }),
    largeBodies: new FairSlots({ ...LARGE_BODIES, onRefused }),
    bodies: new FairSlots(BYTES),
    answers: new FairSlots(BYTES),
  };
}

function shortSlots({ http }: DnsApiSettings, { tenantRequestsRefused }: Metrics) {
  const { maxRequests, maxWaitingRequests } = http.load;
  return {
    total: maxRequests,
    queue: { perOwner: Math.ceil(maxWaitingRequests / 2), waitMs: SHORT_WAIT_MS },
    onRefused: () => {
      tenantRequestsRefused.inc();
    },
  } satisfies FairSlotsOptions;
}
