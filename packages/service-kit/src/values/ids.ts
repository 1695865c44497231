import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id. PostgreSQL rejects other texts with an error. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Response header with the id of the request in the log (D-REQ-23). */
export const REQUEST_ID_HEADER = 'X-Openstack-Request-Id';

/** Returns a new request id, `req-<uuid>`. */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Returns a UUID of version 8 (RFC 9562 s5.8) that is computed from a digest of at least 16 octets. */
export function uuidOfDigest(digest: Buffer): string {
  const hash = digest.toString('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return parts.join('-');
}
