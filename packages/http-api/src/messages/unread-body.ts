import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longer than a client takes to see an answer that it has, also one that first sends all of its body. */
const LINGER_MS = 2_000;
/** Four times the largest body that is taken, unless settings say otherwise. */
const LINGER_BYTES = 33_554_432;
/** Connections of this process of which a body is read away, so that clients that never end cannot hold many. */
const MOST_LINGERING = 64;

/** Ends the reading away of each, the oldest first. */
const lingering = new Set<() => void>();

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
 * Ends an answer whose head says how long it is. Where the body of its request was not read, the connection is closed for what
 * this end sends, and what comes is read away until the client closes it, too: to close it with octets unread resets it, and then
 * the client may lose the answer (RFC 9112 s9.6). That has bounds in time, octets, and connections at a time.
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
    clearTimeout(timer);
    lingering.delete(end);
    request.off('data', count);
    response.end();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const timer = setTimeout(end, LINGER_MS);
  const [oldest] = lingering;
  if (lingering.size >= MOST_LINGERING) oldest?.();
  lingering.add(end);
  request.on('data', count).once('end', end).once('close', end);
  request.resume();
}
