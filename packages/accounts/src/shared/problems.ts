import { ServiceError } from '@zonewright/service-kit';

/** Returns the error for a malformed request with all `problems`. */
export function invalidRequest(...problems: readonly string[]): ServiceError {
  return new ServiceError('invalid', 'the request is malformed', { details: problems.join('; ') });
}

/** The only error for wrong credentials, tokens and rights (Identity s7). It does not reveal which of them is wrong. */
export function unauthenticated(): ServiceError {
  return new ServiceError('unauthenticated', 'Invalid credentials');
}

/** Error for a disabled or suspended user, or a token of another user (Identity s7). */
export function forbidden(): ServiceError {
  return new ServiceError('forbidden', 'Full authentication is required to access this resource');
}

export function notFound(details: string): ServiceError {
  return new ServiceError('not-found', 'Not found', { details });
}
