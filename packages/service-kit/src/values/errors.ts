/**
 * What went wrong, in terms of the domain. Use cases throw it and know no status codes; each API's
 * errors.ts turns a kind into a status and a body.
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
  /** What an API adds to its error body: problems of a form, the name of what is missing. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** The one error class of domain code; its message is written for the caller and holds no secret. */
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

/** The status of a kind of error (RFC 9110 s15), for APIs whose form has no words of its own for it. */
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

/** There are more requests than can be answered. Its kind makes it a 503 with Retry-After in each API's form. */
export class Overload extends ServiceError {
  constructor() {
    super('unavailable', 'The service has more requests than it can answer now; try again.');
  }
}

/** One thing that is wrong with a request, as DNS API s7 shows it. The checks of dns-records give the same shape. */
export interface Problem {
  /** The member or parameter; `operations[3].data` in a batch. */
  readonly path: string;
  /** The check that failed. */
  readonly validator: string;
  /** What was wrong, and what would be right. */
  readonly message: string;
}

/** Nobody reads more of them, and a large body can have a great many. */
export const MAX_PROBLEMS = 100;

/**
 * An `invalid` error with the problems of a request.
 *
 * @param subject what it is about, where an API has a type of its own for that.
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

/** The problems that an error lists. */
export function problemsOf({ details }: ServiceError): readonly Problem[] {
  return (details as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
}
