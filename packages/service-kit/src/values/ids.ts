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
