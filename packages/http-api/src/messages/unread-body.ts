import type { IncomingMessage, ServerResponse } from 'node:http';

/** Time limit without data. */
const IDLE_MS = 2_000;
/** Time limit of all: longer than a client takes to read a response, even if it sends its whole body first. */
const LINGER_MS = 30_000;
/** Byte limit: four times the default limit of a body. */
const LINGER_BYTES = 33_554_432;
/** Maximum number of connections that read the rest of a body, so that endless clients cannot occupy many. */
const MOST_LINGERING = 64;

/** Functions that stop each reading, oldest first. */
const lingering = new Set<() => void>();

/**
 * Whether the end of an announced body has not been read. Its rest would be read as the next request, so the connection
 * must end with the response.
 */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Invites a client that waits for permission to send its body (RFC 9110 s10.1.1). */
export function inviteBody({ headers }: IncomingMessage, response: ServerResponse): void {
  if (/(^|,)\s*100-continue\s*(,|$)/i.test(headers.expect ?? '')) response.writeContinue();
}

/**
 * Ends a response of known length. If the request body is unread, this side of the connection is closed, and the rest
 * is read until the client closes it, too. Closing with unread bytes would reset the connection, and the client might
 * lose the response (RFC 9112 s9.6). Time, bytes and number of connections are limited.
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
  request.socket.end();
  let left = LINGER_BYTES;
  const end = () => {
    clearTimeout(idle);
    clearTimeout(timer);
    lingering.delete(end);
    request.off('data', count);
    response.end();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
    else idle.refresh();
  };
  const idle = setTimeout(end, IDLE_MS);
  const timer = setTimeout(end, LINGER_MS);
  const [oldest] = lingering;
  if (lingering.size >= MOST_LINGERING) oldest?.();
  lingering.add(end);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
}
