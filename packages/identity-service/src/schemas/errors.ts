import { isDatabaseUnavailable, isSchemaMissing } from '@zonewright/database';
import {
  attribute,
  describeRefusal,
  element,
  jsonConstant,
  MEDIA_TYPES,
  Refusal,
  type RefusalTexts,
  represent,
  type Representation,
  type Shape,
} from '@zonewright/http-api';
import { type ErrorKind, problemsOf, ServiceError } from '@zonewright/service-kit';
import type { RateLimitDetails } from '../context/rate-limits.js';
import { V2_NAMESPACE, V3_NAMESPACE } from '../representation/namespaces.js';

/** Error before it is rendered in one of the formats. */
export interface Fault {
  readonly status: number;
  /** JSON root and XML element in version 2.0 (Identity s7, D-ID). */
  readonly root: string;
  readonly message: string;
  readonly details: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface FaultForm {
  readonly status: number;
  readonly root: string;
  readonly message: string;
  /** Default for errors without details. */
  readonly details?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const RETRY_WHEN_UNAVAILABLE_SECONDS = 2;

/** The only mapping of errors to responses (docs/reference/errors.md). */
const FORMS_BY_KIND: Readonly<Partial<Record<ErrorKind, FaultForm>>> = {
  invalid: { status: 400, root: 'badRequest', message: 'Bad request' },
  unauthenticated: {
    status: 401,
    root: 'unauthorized',
    message: 'UNAUTHORIZED',
    details: 'Invalid credentials',
    // A challenge is required (RFC 9110 s15.5.2). The name of the scheme is Keystone's.
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

/** One media type for each format, for error texts. */
const ALL_FORMATS = `${MEDIA_TYPES.json} or ${MEDIA_TYPES.xml}`;
const formatsAmong = (offered: readonly string[]) =>
  offered.length > 0 && offered.every((type) => type.endsWith('json'))
    ? MEDIA_TYPES.json
    : ALL_FORMATS;
const UNREADABLE = () => 'the request could not be read';

const REFUSAL_TEXTS: RefusalTexts = {
  'no-such-resource': () => 'this resource does not exist',
  'method-not-allowed': ({ offered }) => `allowed methods: ${offered.join(', ')}`,
  'not-acceptable': ({ offered }) => `Accept must allow ${formatsAmong(offered)}`,
  'unsupported-type': ({ offered }) => `Content-Type must be ${formatsAmong(offered)}`,
  'unsupported-charset': ({ given }) => `the body must be UTF-8; Content-Type says ${given}`,
  'unsupported-encoding': UNREADABLE,
  'body-too-large': ({ most }) => `the body is larger than ${most} bytes`,
  'body-unreadable': UNREADABLE,
  'body-broken-off': UNREADABLE,
  'body-empty': () => 'the body is not JSON: Unexpected end of JSON input',
  'not-utf8': () => 'the body is not UTF-8',
  'not-json': ({ detail }) => `the body is not JSON: ${detail}`,
  'not-xml': ({ detail }) => detail,
  'too-deep': ({ most }) => `the body is nested more than ${most} levels deep`,
  'too-many-values': ({ most }) => `the body contains more than ${most} values`,
  'path-not-encoded': UNREADABLE,
  'not-http': () => 'this is not an HTTP request',
  'too-slow': () => 'the request did not arrive in time',
  'header-too-large': () => 'the request headers are too large',
};

const BAD_REQUEST: FaultForm = { status: 400, root: 'badRequest', message: 'Bad request' };
const INTERNAL: FaultForm = {
  status: 500,
  root: 'identityFault',
  message: 'Internal server error',
  details: 'The request could not be processed; see its ID in the log of the service',
};
const UNAVAILABLE: FaultForm = {
  status: 503,
  root: 'serviceUnavailable',
  message: 'Service unavailable',
  details: 'The service cannot answer at the moment; try again later',
};

/** Returns the response for an error; `path` is the requested one. */
export function toFault(error: unknown, path: string): Fault {
  if (error instanceof Refusal) return refused(error);
  if (error instanceof ServiceError) return fromServiceError(error, path);
  if (isDatabaseUnavailable(error) || isSchemaMissing(error)) return unavailable();
  return fault(INTERNAL);
}

function refused(refusal: Refusal): Fault {
  const form = FORMS_BY_STATUS[refusal.status] ?? BAD_REQUEST;
  const { offered = [] } = refusal.facts;
  return {
    ...fault(form, describeRefusal(REFUSAL_TEXTS, refusal)),
    headers: refusal.status === 405 ? { Allow: offered.join(', ') } : {},
  };
}

function fromServiceError(error: ServiceError, path: string): Fault {
  if (error.kind === 'unavailable') return unavailable();
  const form = FORMS_BY_KIND[error.kind] ?? INTERNAL;
  if (error.kind === 'rate-limited')
    return rateLimited(form, error.details as RateLimitDetails, path);
  return fault(form, detailsOf(error));
}

/** Returns the details of an error from the accounts package, or all problems of a body. */
function detailsOf(error: ServiceError): string | undefined {
  if (typeof error.details === 'string') return error.details;
  const messages = problemsOf(error).map(({ message }) => message);
  return messages.length === 0 ? undefined : messages.join('; ');
}

function rateLimited(form: FaultForm, limit: RateLimitDetails, path: string): Fault {
  const seconds = String(limit.retryAfterSeconds);
  return {
    ...fault(
      form,
      `Exceeded the number of requests that can be made to ${path} per ${limit.window}`,
    ),
    // The header is named RetryAfter, without a hyphen (Identity s7). The standard header is sent, too.
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

const FAULT: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  element('message', (fault) => fault.message),
  element('details', (fault) => fault.details),
];
const WITH_OTHER_ATTRIBUTES: Shape<Fault> = [...FAULT, jsonConstant('otherAttributes', {})];

/** Paths for which the API document shows a form other than FAULT (D-ID-30). */
const SHAPES: Readonly<Record<string, Shape<Fault>>> = {
  unauthorized: WITH_OTHER_ATTRIBUTES,
  TooManyRequests: [
    element('message', (fault) => fault.message),
    element('code', (fault) => fault.status),
    element('details', (fault) => fault.details),
  ],
};

const V3_ERROR: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  attribute('title', (fault) => fault.root),
  element('message', (fault) => fault.message),
  element('details', (fault) => fault.details ?? ''),
  jsonConstant('otherAttributes', {}),
];

/** Format of Keystone, whose clients show only the message. */
const ADMINISTRATION_ERROR: Shape<Fault> = [
  attribute('code', (fault) => fault.status),
  attribute('title', (fault) => fault.root),
  element('message', (fault) => fault.details ?? fault.message),
];

/** Whether the path belongs to the administration of accounts. The token paths of version 3 are older and do not. */
export function isAdministration(path: string): boolean {
  return path.startsWith('/v3/') && !path.startsWith('/v3/auth/');
}

/** Returns the body of an error, in the format of the API version of the path. */
export function representFault(fault: Fault, path: string): Representation {
  if (path === '/v3' || path.startsWith('/v3/')) {
    const shape = isAdministration(path) ? ADMINISTRATION_ERROR : V3_ERROR;
    const error = { root: 'error', namespace: V3_NAMESPACE, wrappedInJson: true, shape };
    return represent(error, fault);
  }
  const shape = SHAPES[fault.root] ?? FAULT;
  return represent(
    { root: fault.root, namespace: V2_NAMESPACE, wrappedInJson: true, shape },
    fault,
  );
}
