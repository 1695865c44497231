import type { IncomingMessage } from 'node:http';

/**
 * Whether a body that was announced has not been read to its end: what is left of it would be taken for the next
 * request, so the connection must end with the answer.
 */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
