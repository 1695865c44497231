/**
 * Kind of an error, in terms of the domain. Use cases throw it and know no status codes; each API's errors.ts maps a
 * kind to a status and a body.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition-failed'
  | 'over-quota'
  | 'rate-limited'
  | 'unavailable';

interface ServiceErrorOptions {
  /** Additions to the error body: problems of a form, the name of a missing object. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The only error class of domain code. Its message is for the caller and contains no secret. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  readonly details: unknown;

  constructor(kind: ErrorKind, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.details = options.details;
  }
}

/** Status of a kind of error (RFC 9110 s15), for APIs without a mapping of their own. */
export const STATUS_OF_ERROR: Readonly<Record<ErrorKind, number>> = {
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

/** Overload of the service. Its kind becomes 503 with Retry-After in each API's form. */
export class Overload extends ServiceError {
  constructor() {
    super('unavailable', 'The service has more requests than it can answer now; try again.');
  }
}

/** Problem of a request, as in DNS API s7. The checks of dns-records return the same shape. */
export interface Problem {
  /** The member or parameter; `operations[3].data` in a batch. */
  readonly path: string;
  /** The check that failed. */
  readonly validator: string;
  /** Text that says what is wrong, and what would be right. */
  readonly message: string;
}

/** More would not be read, and a large body can have very many. */
export const MAX_PROBLEMS = 100;

/**
 * Returns an `invalid` error with the problems of a request.
 *
 * @param subject object of the request, for APIs with an error type of its own for that.
 */
export function invalidRequest(problems: readonly Problem[], subject?: string): ServiceError {
  const [first] = problems;
  const listed = problems.slice(0, MAX_PROBLEMS);
  const which = listed.length < problems.length ? `the first ${MAX_PROBLEMS}` : 'them';
  const message =
    problems.length === 1 && first !== undefined
      ? first.message
      : `The request has ${problems.length} problems; errors lists ${which}.`;
  return new ServiceError('invalid', message, { details: { subject, problems: listed } });
}

/** Returns the problems of an error. */
export function problemsOf({ details }: ServiceError): readonly Problem[] {
  return (details as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
}
