import { randomUUID } from 'node:crypto';

/** The response header that carries the id under which a request stands in the log (decisions 1.5). */
export const REQUEST_ID_HEADER = 'X-Openstack-Request-Id';

/** A new request id, `req-<uuid>`. */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}
