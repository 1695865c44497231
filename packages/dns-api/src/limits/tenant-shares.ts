import { FairSlots, type FairSlotsOptions } from '@zonewright/service-kit';
import type { Metrics } from '../settings/metrics.js';
import type { DnsApiSettings } from '../settings/settings.js';

/** Slots of this process that tenants share, so that no tenant can take the share of the others. */
export interface TenantShares {
  /** Requests that are answered within 2 s. */
  readonly short: FairSlots;
  /** Requests that read or write a whole zone, which takes time and memory. */
  readonly long: FairSlots;
  /** Cached lists, which cost little to send. */
  readonly kept: FairSlots;
  /** Changes of records, which are read and written together with those of others. */
  readonly queued: FairSlots;
  /** Request bodies, which take time to arrive and to be parsed. */
  readonly largeBodies: FairSlots;
  /** Octets of the bodies of current requests. */
  readonly bodies: FairSlots;
  /** Octets of responses that clients have not received yet. */
  readonly answers: FairSlots;
}

const MEBIBYTE = 1_048_576;

const LONG_AT_A_TIME = { divided: 1, total: 4 };
/** The length of the queue is enough for the successive imports of a user who migrates. */
const LONG_QUEUE = { perOwner: 64, waitMs: 30_000 };
/** The limit equals that of the gate for all requests. */
const SHORT_WAIT_MS = 500;
/** The number of connections to PostgreSQL that are left for other tenants, so that no tenant can hold all of them. */
const FREE_CONNECTIONS = 4;

/** Further bodies of a tenant wait unread, so slow ones do not delay other tenants. */
const LARGE_BODIES = {
  divided: 2,
  total: Infinity,
  queue: { perOwner: 64, waitMs: 30_000 },
};

/** The share of the gate for cached lists, which are fast. The rest is enough for all other requests. */
const KEPT_SHARE = 0.75;

/** The share of the concurrent token validations. The identity service answers each within milliseconds. */
const QUESTION_SHARE = 0.25;
/**
 * The maximum time in the queue. With the time of the validation it is less than the 2 s within which a request is
 * answered.
 */
const QUESTION_WAIT_MS = 200;

const BYTES = { perOwner: 16 * MEBIBYTE, total: 64 * MEBIBYTE };

/** Creates the slots for requests to the identity service. */
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
  const withoutConnection = Math.ceil(http.load.maxRequests * KEPT_SHARE);
  return {
    short: new FairSlots({ ...short, divided: Math.max(1, connections) }),
    long: new FairSlots({ ...LONG_AT_A_TIME, queue: LONG_QUEUE, onRefused }),
    kept: new FairSlots({ ...short, divided: withoutConnection }),
    queued: new FairSlots({ ...short, divided: withoutConnection }),
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
