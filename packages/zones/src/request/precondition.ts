import { ServiceError } from '@zonewright/service-kit';

/**
 * Refuses a change of an object that is no longer as the client saw it (D-ZONE-39: If-Match gives 412). Tags are compared
 * strongly (RFC 9110 s13.1.1), so a weak one never matches.
 *
 * @throws ServiceError `precondition-failed`.
 */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (ifMatch.split(',').some((tag) => tag.trim() === etag)) return;
  throw new ServiceError(
    'precondition-failed',
    `If-Match is ${ifMatch}, but the ETag is now ${etag}: it was changed meanwhile. Read it again.`,
  );
}
