import type { Metrics } from '../metrics/metrics.js';
import type { DnsApiSettings } from '../settings/settings.js';
import { OctetBudget } from './octet-budget.js';
import { TenantPlaces } from './tenant-places.js';

/** What of this process one tenant may use at a time, so that the others have their part whatever it does. */
export interface TenantShares {
  /** For what is answered within 2 s. */
  readonly short: TenantPlaces;
  /** For what reads or writes a whole zone, which takes time and memory. */
  readonly long: TenantPlaces;
  /** For lists that were rendered before, which need next to nothing. */
  readonly kept: TenantPlaces;
  /** For bodies that take time to arrive and to be read. */
  readonly largeBodies: TenantPlaces;
  /** Bodies of requests that are on their way in or worked on. */
  readonly bodies: OctetBudget;
  /** Answers that their clients have not taken yet. */
  readonly answers: OctetBudget;
}

const MEBIBYTE = 1_048_576;

const LONG_AT_A_TIME = { ofTenant: 1, ofAll: 4 };
/** As many as may be imports one after the other of somebody who moves in. */
const LONG_WAITING = { waiting: 64, waitMs: 30_000 };
/** As the gate has it for all requests together. */
const SHORT_WAIT_MS = 500;
/** So many connections to PostgreSQL no tenant can hold alone. */
const FREE_CONNECTIONS = 4;

/** The others of a tenant wait unread; how slowly some arrive is nothing to other tenants. */
const LARGE_BODIES = { ofTenant: 2, ofAll: Infinity, waiting: 64, waitMs: 30_000 };

/** They are quick: what is left of the gate is enough for all others. */
const KEPT_SHARE = 0.75;

/** Of the questions about tokens that are under way; the identity service answers each in milliseconds. */
const QUESTION_SHARE = 0.25;
/** With the time that a question may take it is the 2 s within which a request is answered. */
const QUESTION_WAIT_MS = 200;

/** Places for questions to the identity service. */
export function createQuestionPlaces(settings: DnsApiSettings, metrics: Metrics): TenantPlaces {
  const ofTenant = Math.ceil(settings.http.load.maxRequests * QUESTION_SHARE);
  return new TenantPlaces({
    ...shortPlaces(settings, metrics),
    ofTenant,
    waitMs: QUESTION_WAIT_MS,
  });
}

export function createTenantShares(settings: DnsApiSettings, metrics: Metrics): TenantShares {
  const { http, database } = settings;
  const { tenantRequestsRefused: refused } = metrics;
  const connections = database.maxConnections - FREE_CONNECTIONS - LONG_AT_A_TIME.ofTenant;
  const short = shortPlaces(settings, metrics);
  return {
    short: new TenantPlaces({ ...short, ofTenant: Math.max(1, connections) }),
    long: new TenantPlaces({ ...LONG_AT_A_TIME, ...LONG_WAITING, refused }),
    kept: new TenantPlaces({ ...short, ofTenant: Math.ceil(http.load.maxRequests * KEPT_SHARE) }),
    largeBodies: new TenantPlaces({ ...LARGE_BODIES, refused }),
    bodies: new OctetBudget({ ofTenant: 16 * MEBIBYTE, ofAll: 64 * MEBIBYTE }),
    answers: new OctetBudget({ ofTenant: 16 * MEBIBYTE, ofAll: 64 * MEBIBYTE }),
  };
}

function shortPlaces({ http }: DnsApiSettings, { tenantRequestsRefused: refused }: Metrics) {
  const { maxRequests, maxWaitingRequests } = http.load;
  const waiting = Math.ceil(maxWaitingRequests / 2);
  return { ofAll: maxRequests, waiting, waitMs: SHORT_WAIT_MS, refused };
}
