import {
  describeRefusal,
  Refusal,
  type RefusalCode,
  type RefusalStatus,
  type RefusalTexts,
} from '@zonewright/http-api';
import { errorCode, isDatabaseUnavailable, isSchemaMissing, SQLSTATE } from '@zonewright/database';
import {
  type ErrorKind,
  type Problem,
  ServiceError,
  STATUS_OF_ERROR,
} from '@zonewright/service-kit';

/** Details that domain code can add to a ServiceError for this API. */
export interface ErrorDetails {
  /** The object that the error concerns, in the terms of the code. */
  readonly subject?: 'zone' | 'record' | 'json' | 'zone-name' | 'record-location' | 'peer';
  /** All problems of the request. */
  readonly problems?: readonly Problem[];
  /** Time after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
}

/** An error in the form of the response (DNS API, section 7, and D-ZONE-7). */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly code: number;
    readonly type: string;
    readonly message: string;
    readonly errors: readonly Problem[];
    readonly request_id: string;
  };
}

/** The delay in seconds is long enough for a restart or a failover, and short enough for clients to wait. */
const RETRY_AFTER_SECONDS = '2';

/** RFC 9110, section 15.5.2, requires a challenge with a 401. No setting specifies where clients get a token. */
const HEADERS: Readonly<Partial<Record<ErrorKind, Readonly<Record<string, string>>>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Keystone' },
  unavailable: { 'Retry-After': RETRY_AFTER_SECONDS },
};

const TYPE: Readonly<Record<ErrorKind, string>> = {
  invalid: 'invalid_object',
  unauthenticated: 'unauthorized',
  forbidden: 'forbidden',
  'not-found': 'not_found',
  conflict: 'conflict',
  'precondition-failed': 'precondition_failed',
  'over-quota': 'over_quota',
  'rate-limited': 'rate_limited',
  unavailable: 'unavailable',
};

/** Types that are more specific than the kind. The code calls a domain of the API a zone. */
const TYPE_BY_SUBJECT: Readonly<Partial<Record<ErrorKind, Readonly<Record<string, string>>>>> = {
  invalid: {
    json: 'invalid_json',
    'zone-name': 'invalid_domain_name',
    'record-location': 'invalid_record_location',
  },
  'not-found': { zone: 'domain_not_found', record: 'record_not_found', peer: 'peer_not_found' },
  conflict: { zone: 'duplicate_domain', record: 'duplicate_record' },
};

/** The codes for a body that is not JSON or exceeds a limit. */
const OF_THE_JSON_TEXT: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'body-broken-off',
  'body-empty',
  'body-unreadable',
  'not-json',
  'not-utf8',
  'not-xml',
  'too-deep',
  'too-many-values',
]);

/** The types of other HTTP errors, by status. */
const REFUSAL_TYPES: Readonly<Record<RefusalStatus, string>> = {
  400: 'invalid_object',
  404: 'not_found',
  405: 'invalid_method',
  406: 'unsupported_accept',
  408: 'request_timeout',
  413: 'over_quota',
  415: 'unsupported_content_type',
  431: 'invalid_object',
};

const REFUSAL_TEXTS: RefusalTexts = {
  'no-such-resource': () => 'This resource does not exist.',
  'method-not-allowed': ({ offered, given }) =>
    `${given} is not allowed here; use ${offered.join(', ')}.`,
  'not-acceptable': ({ offered, given }) =>
    `The response is ${offered.join(' or ')}, which Accept ${JSON.stringify(given)} does not allow.`,
  'unsupported-type': ({ offered, given }) =>
    `The Content-Type must be ${offered.join(' or ')}, not ${JSON.stringify(given)}.`,
  'unsupported-charset': ({ given }) => `The body must be UTF-8, not ${given}.`,
  'unsupported-encoding': ({ given }) =>
    `The body must not have the Content-Encoding ${JSON.stringify(given)}; send it unencoded.`,
  'body-too-large': ({ most }) =>
    `The body is larger than ${most} bytes, the maximum for this operation.`,
  'body-unreadable': () => 'The body cannot be read.',
  'body-broken-off': () => 'The request was interrupted.',
  'body-empty': () => 'The request has no body; it must be a JSON object.',
  'not-utf8': () => 'The body is not UTF-8 text.',
  'not-json': ({ detail }) => `The body is not JSON: ${detail}.`,
  'not-xml': ({ detail }) => detail,
  'too-deep': ({ most }) => `The body is nested more than ${most} levels deep.`,
  'too-many-values': ({ most }) => `The body contains more than ${most} values.`,
  'path-not-encoded': () => 'The path is not percent-encoded as RFC 3986 requires.',
  'not-http': () => 'This is not an HTTP request.',
  'too-slow': () => 'The request did not arrive in time.',
  'header-too-large': () => 'The header of the request is too large.',
};

/**
 * Maps an error to status and body. This is the only such mapping. Errors other than ServiceError and HTTP errors get
 * a fixed text; their cause is only logged.
 */
export function toErrorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof Refusal) return refusalAnswer(error, requestId);
  if (error instanceof ServiceError) return serviceErrorAnswer(error, requestId);
  if (isDatabaseUnavailable(error) || isSchemaMissing(error)) {
    return answer(503, 'unavailable', describeDatabaseFault(error), {
      requestId,
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
  return answer(
    500,
    'unknown',
    'The service failed; the operator can find the cause by request_id.',
    {
      requestId,
    },
  );
}

/** Descriptions of database faults by SQLSTATE. The command doctor gives the operator more details. */
const DATABASE_FAULTS: Readonly<Record<string, string>> = {
  [SQLSTATE.diskFull]: 'has no space left for changes; the operator must free some',
  [SQLSTATE.outOfMemory]: 'has no memory left; try again',
  [SQLSTATE.tooManyConnections]: 'has no connection left; try again',
  [SQLSTATE.queryCanceled]: 'did not answer in time; try again',
  [SQLSTATE.readOnlySqlTransaction]: 'does not accept changes at the moment; try again',
};

function describeDatabaseFault(error: unknown): string {
  if (isSchemaMissing(error)) {
    return 'The database of the service lacks tables of this version; the operator must restore them or run migrate.';
  }
  const fault = DATABASE_FAULTS[errorCode(error) ?? ''];
  if (fault === undefined) return 'The service cannot reach its database; try again.';
  return `The database of the service ${fault}.`;
}

function refusalAnswer(refusal: Refusal, requestId: string): ErrorAnswer {
  const { status, code, facts } = refusal;
  const message = describeRefusal(REFUSAL_TEXTS, refusal);
  if (OF_THE_JSON_TEXT.has(code)) {
    const error = new ServiceError('invalid', message, { details: { subject: 'json' } });
    return serviceErrorAnswer(error, requestId);
  }
  const { offered = [] } = facts;
  const headers = status === 405 ? { Allow: offered.join(', ') } : {};
  return answer(status, REFUSAL_TYPES[status], message, { requestId, headers });
}

function serviceErrorAnswer(error: ServiceError, requestId: string): ErrorAnswer {
  const { subject, problems, retryAfterSeconds } = (error.details ?? {}) as ErrorDetails;
  const type = TYPE_BY_SUBJECT[error.kind]?.[subject ?? ''] ?? TYPE[error.kind];
  return answer(STATUS_OF_ERROR[error.kind], type, error.message, {
    requestId,
    errors: problems ?? [],
    headers: {
      ...HEADERS[error.kind],
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
  });
}

interface AnswerParts {
  readonly requestId: string;
  readonly errors?: readonly Problem[];
  readonly headers?: Readonly<Record<string, string>>;
}

function answer(code: number, type: string, message: string, parts: AnswerParts): ErrorAnswer {
  return {
    status: code,
    headers: { 'Content-Type': 'application/json', ...parts.headers },
    body: { code, type, message, errors: parts.errors ?? [], request_id: parts.requestId },
  };
}
