import type { ErrorKind } from '../errors/service-error.js';

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
