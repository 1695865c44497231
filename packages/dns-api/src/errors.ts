import { type ErrorKind, type Problem, ServiceError } from '@zonewright/service-kit';
import { isDatabaseUnavailable } from '@zonewright/database';
import { RequestRefused } from './http/request-refused.js';

/** What domain code may add to a ServiceError for this API. */
export interface ErrorDetails {
  /** What the error is about, in the words of the code. */
  readonly subject?: 'zone' | 'record' | 'json' | 'zone-name' | 'record-location';
  /** Every problem of the request, not the first only. */
  readonly problems?: readonly Problem[];
  /** When it is worth trying again. */
  readonly retryAfterSeconds?: number;
}

/** An error as it is answered: DNS API s7 and decisions 3, "Error body". */
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
  /** Whether the cause belongs in the log as something that a person must look at. */
  readonly isFault: boolean;
}

/** Long enough for a restart or a failover, short enough that nobody goes away. */
const RETRY_AFTER_SECONDS = '2';

/** RFC 9110 s15.5.2 demands a challenge with a 401; where to get a token is in no setting that clients may see. */
const HEADERS: Readonly<Partial<Record<ErrorKind, Readonly<Record<string, string>>>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Keystone' },
  unavailable: { 'Retry-After': RETRY_AFTER_SECONDS },
};

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'precondition-failed': 412,
  'over-quota': 413,
  'rate-limited': 429,
  unavailable: 503,
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

/** Types that say more than the kind: the code's zone is the wire's domain. */
const TYPE_BY_SUBJECT: Readonly<Partial<Record<ErrorKind, Readonly<Record<string, string>>>>> = {
  invalid: {
    json: 'invalid_json',
    'zone-name': 'invalid_domain_name',
    'record-location': 'invalid_record_location',
  },
  'not-found': { zone: 'domain_not_found', record: 'record_not_found' },
  conflict: { zone: 'duplicate_domain', record: 'duplicate_record' },
};

/**
 * The single mapping from what went wrong to status and body. Whatever is not a ServiceError or a refusal of
 * HTTP is answered with a fixed text; its cause is for the log alone.
 */
export function toErrorAnswer(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof RequestRefused) {
    return answer(error.status, error.type, error.message, { requestId, headers: error.headers });
  }
  if (error instanceof ServiceError) return serviceErrorAnswer(error, requestId);
  if (isDatabaseUnavailable(error)) {
    return answer(503, 'unavailable', 'The service cannot reach its database; try again.', {
      requestId,
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
  if (error instanceof URIError) {
    return answer(400, 'invalid_object', 'The path is not percent-encoded as RFC 3986 has it.', {
      requestId,
    });
  }
  const fault = answer(
    500,
    'unknown',
    'The service failed; the operator finds the cause by request_id.',
    {
      requestId,
    },
  );
  return { ...fault, isFault: true };
}

function serviceErrorAnswer(error: ServiceError, requestId: string): ErrorAnswer {
  const { subject, problems, retryAfterSeconds } = (error.details ?? {}) as ErrorDetails;
  const type = TYPE_BY_SUBJECT[error.kind]?.[subject ?? ''] ?? TYPE[error.kind];
  return answer(STATUS[error.kind], type, error.message, {
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
    isFault: false,
  };
}
