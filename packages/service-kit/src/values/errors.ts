/**
 * Kind of an error, in terms of the domain. Use cases throw it and do not use status codes. Each API's errors.ts maps a
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
  /** Additions to the error body, such as problems of a form or the name of a missing object. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The only error class of domain code. Its message is for the caller and never contains a secret. */
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

/** Status of each kind of error (RFC 9110 s15), for APIs without their own mapping. */
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

/** Overload of the service. Each API renders it as 503 with Retry-After. */
export class Overload extends ServiceError {
  constructor() {
    super('unavailable', 'The service has too many requests at the moment; try again.');
  }
}

/** Problem of a request (DNS API s7). The checks of dns-records return the same type. */
export interface Problem {
  /** Member or parameter with the problem, such as `operations[3].data` in a batch. */
  readonly path: string;
  /** Name of the check that failed. */
  readonly validator: string;
  /** Text that describes the problem and the remedy. */
  readonly message: string;
}

/** Maximum number of problems in a response. A large body can have very many, and nobody would read them all. */
export const MAX_PROBLEMS = 100;

/**
 * Returns an `invalid` error with the problems of a request.
 *
 * @param subject object of the request, for APIs with an error type for each kind of object
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
