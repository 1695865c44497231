import { isDatabaseUnavailable } from '@zonewright/database';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import { HttpError } from './http/http-error.js';
import type { RateLimitDetails } from './http/rate-limits.js';

/** An error as the caller sees it, before it has a format. */
export interface Fault {
  readonly status: number;
  /** JSON root and XML element in version 2.0 (Identity s7, decisions 2). */
  readonly root: string;
  readonly message: string;
  readonly details: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface FaultForm {
  readonly status: number;
  readonly root: string;
  readonly message: string;
  /** Used where the error brings none of its own. */
  readonly details?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_WHEN_UNAVAILABLE_SECONDS = 2;

/** The single mapping from what went wrong to what the caller sees (docs/errors.md). */
const FORMS_BY_KIND: Readonly<Partial<Record<ErrorKind, FaultForm>>> = {
  invalid: { status: 400, root: 'badRequest', message: 'Bad request' },
  unauthenticated: {
    status: 401,
    root: 'unauthorized',
    message: 'UNAUTHORIZED',
    details: 'Invalid credentials',
    // RFC 9110 s15.5.2 demands a challenge; the scheme's name is Keystone's own.
    headers: { 'WWW-Authenticate': 'Keystone' },
  },
  forbidden: {
    status: 403,
    root: 'forbidden',
    message: 'Full authentication is required to access this resource',
  },
  'not-found': { status: 404, root: 'itemNotFound', message: 'Not found' },
  conflict: { status: 409, root: 'conflict', message: 'Conflict' },
  'over-quota': { status: 413, root: 'overLimit', message: 'Over quota' },
  'rate-limited': {
    status: 429,
    root: 'TooManyRequests',
    message: 'This request was rate-limited',
  },
};

const FORMS_BY_STATUS: Readonly<Record<number, FaultForm>> = {
  404: { status: 404, root: 'itemNotFound', message: 'Not found' },
  405: { status: 405, root: 'badMethod', message: 'Method not allowed' },
  406: { status: 406, root: 'notAcceptable', message: 'Not acceptable' },
  408: { status: 408, root: 'requestTimeout', message: 'Request timeout' },
  413: { status: 413, root: 'overLimit', message: 'Request entity too large' },
  415: { status: 415, root: 'badMediaType', message: 'Unsupported media type' },
  431: { status: 431, root: 'badRequest', message: 'Request header fields too large' },
};

const BAD_REQUEST: FaultForm = { status: 400, root: 'badRequest', message: 'Bad request' };
const INTERNAL: FaultForm = {
  status: 500,
  root: 'identityFault',
  message: 'Internal server error',
  details: 'The request could not be processed; its id is in the log of the service',
};
const UNAVAILABLE: FaultForm = {
  status: 503,
  root: 'serviceUnavailable',
  message: 'Service unavailable',
  details: 'The service cannot answer at the moment; try again later',
};

/** What the caller sees of an error; `path` is the one that was requested. */
export function toFault(error: unknown, path: string): Fault {
  if (error instanceof HttpError) {
    return {
      ...fault(FORMS_BY_STATUS[error.status] ?? BAD_REQUEST, error.message),
      headers: error.headers,
    };
  }
  if (error instanceof ServiceError) return fromServiceError(error, path);
  if (isDatabaseUnavailable(error)) return unavailable();
  const status = clientErrorStatus(error);
  if (status === undefined) return fault(INTERNAL);
  return fault(FORMS_BY_STATUS[status] ?? BAD_REQUEST, 'the request could not be read');
}

function fromServiceError(error: ServiceError, path: string): Fault {
  if (error.kind === 'unavailable') return unavailable();
  const form = FORMS_BY_KIND[error.kind] ?? INTERNAL;
  if (error.kind === 'rate-limited')
    return rateLimited(form, error.details as RateLimitDetails, path);
  return fault(form, typeof error.details === 'string' ? error.details : undefined);
}

function rateLimited(form: FaultForm, limit: RateLimitDetails, path: string): Fault {
  const seconds = String(limit.retryAfterSeconds);
  return {
    ...fault(
      form,
      `Exceeded the number of requests that can be made to ${path} per ${limit.window}`,
    ),
    // Identity s7: the header really is RetryAfter, without a hyphen; the standard's name comes with it.
    headers: { RetryAfter: seconds, 'Retry-After': seconds },
  };
}

function unavailable(): Fault {
  return {
    ...fault(UNAVAILABLE),
    headers: { 'Retry-After': String(RETRY_WHEN_UNAVAILABLE_SECONDS) },
  };
}

function fault(form: FaultForm, details?: string): Fault {
  const { status, root, message, headers = {} } = form;
  return { status, root, message, details: details ?? form.details, headers };
}

/** Express and its body reader mark what the client did wrong with a status of the 400s. */
function clientErrorStatus(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
