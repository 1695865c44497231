import { ServiceError } from '@zonewright/service-kit';

/** A malformed request; `problems` are shown to the caller, together. */
export function invalidRequest(...problems: readonly string[]): ServiceError {
  return new ServiceError('invalid', 'the request is malformed', { details: problems.join('; ') });
}

/**
 * The one answer to every credential, token or right that does not do (Identity s7): it says nothing about
 * which of them it was.
 */
export function unauthenticated(): ServiceError {
  return new ServiceError('unauthenticated', 'Invalid credentials');
}

/** A disabled or suspended user, or somebody else's token (Identity s7). */
export function forbidden(): ServiceError {
  return new ServiceError('forbidden', 'Full authentication is required to access this resource');
}

export function notFound(details: string): ServiceError {
  return new ServiceError('not-found', 'Not found', { details });
}
