import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longer than a body takes that is on its way already. */
const LINGER_MS = 1_000;
/** More than what lies in the buffers of both ends. */
const LINGER_BYTES = 1_048_576;

/**
 * Whether a body that was announced has not been read to its end: what is left of it would be taken for the next
 * request, so the connection must end with the answer.
 */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** RFC 9110 s10.1.1: asks a client that waits for that to send its body, now that it will be read. */
export function inviteBody({ headers }: IncomingMessage, response: ServerResponse): void {
  if (/(^|,)\s*100-continue\s*(,|$)/i.test(headers.expect ?? '')) response.writeContinue();
}

/**
 * Ends an answer whose head says how long it is. Where the body of its request was not read, what comes of that is read
 * away for a moment first: to close a connection with octets unread resets it, and then the client may lose the answer
 * (RFC 9112 s9.6).
 */
export function endAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Buffer,
): void {
  if (!hasUnreadBody(request)) {
    response.end(content);
    return;
  }
  response.write(content);
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(timer);
    request.off('data', count);
    response.end();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
}
