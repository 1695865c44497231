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
