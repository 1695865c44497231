import { forbidden, invalidRequest, notFound, unauthenticated } from '@zonewright/accounts';
import { type Operation, Refusal } from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import type { RateLimitDetails } from '../context/rate-limits.js';
import { type Fault, toFault } from './errors.js';

const LIMIT: RateLimitDetails = { retryAfterSeconds: 1, window: 'SECOND' };

/** Examples of errors, by the status that errors.ts maps them to. */
const ERRORS = {
  400: invalidRequest('auth is required'),
  401: unauthenticated(),
  403: forbidden(),
  404: notFound('token not found'),
  406: new Refusal('not-acceptable'),
  408: new Refusal('too-slow'),
  409: new ServiceError('conflict', 'an access key with this id exists'),
  413: new Refusal('body-too-large', { most: 16_384 }),
  415: new Refusal('unsupported-type'),
  429: new ServiceError('rate-limited', 'too many requests', { details: LIMIT }),
  500: new Error('a defect'),
  503: new ServiceError('unavailable', 'PostgreSQL is not available'),
} as const;

export type FaultStatus = keyof typeof ERRORS;

/** Returns each error in the format of a path. */
export function listFaults(path: string): Fault[] {
  return Object.values(ERRORS).map((error) => toFault(error, path));
}

/** Paths of objects that only the caller may read, although they exist. */
const OWN = /^\/v3\/users\/\{userId\}\/(application_credentials|password)/;

/** Returns the possible errors of an operation (Identity s7, D-ID). Nearly all follow from its description. */
export function faultsOf(
  route: Operation & {
    readonly limit?: unknown;
    readonly faults?: readonly FaultStatus[];
    readonly json?: { readonly reads?: string };
  },
): FaultStatus[] {
  const isChecked = route.access === 'token' || route.limit !== undefined;
  const hasBody = readsBody(route);
  const statuses: readonly FaultStatus[] = [
    406,
    ...(hasBody || isChoosy(route) ? ([400] as const) : []),
    // The other operations use nothing that could fail.
    ...(isChecked ? ([401, 500, 503] as const) : []),
    ...(route.access === 'token' ? ([403] as const) : []),
    ...(/\{/.test(route.path.replace(OWN, '')) ? ([404] as const) : []),
    ...(hasBody ? ([408, 413, 415] as const) : []),
    ...(route.limit === undefined ? [] : ([429] as const)),
    ...(route.faults ?? []),
  ];
  return [...new Set(statuses)].sort((one, other) => one - other);
}

/** Whether the operation requires headers, or has parameters with a limited set of values. */
function isChoosy({ query = {}, headers }: Operation): boolean {
  return (
    headers !== undefined || Object.values(query).some((schema) => schema['type'] !== 'string')
  );
}

/** Whether the body of a request is read. */
export function readsBody({
  method,
  json,
}: Operation & { readonly json?: { readonly reads?: string } }): boolean {
  if (json !== undefined) return json.reads !== undefined;
  return method === 'POST' || method === 'PUT';
}
