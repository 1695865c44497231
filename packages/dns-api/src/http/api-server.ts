import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { newRequestId, REQUEST_ID_HEADER } from '@zonewright/service-kit';

/** How often requests that are still arriving are looked after. */
const CHECK_INTERVAL_MS = 1_000;
/** Longer than the idle time of usual load balancers, which must be the first to close a connection. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** What Node refuses by itself, before any request exists. */
const REFUSALS: Readonly<Record<string, { status: string; type: string; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    type: 'request_timeout',
    message: 'The request did not arrive in time.',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    type: 'invalid_object',
    message: 'The header of the request is too large.',
  },
};
const NOT_HTTP = {
  status: '400 Bad Request',
  type: 'invalid_object',
  message: 'This is not an HTTP request.',
};

/**
 * An HTTP server that waits a limited time for a request (decisions 1.4), and answers what is none, or too slow to be one, in
 * the API's own error form.
 */
export function createApiServer(listener: RequestListener, timeoutSeconds: number): Server {
  const timeout = timeoutSeconds * 1_000;
  const server = createServer(
    {
      headersTimeout: timeout,
      requestTimeout: timeout,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    listener,
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else socket.end(rawAnswer(error.code ?? ''));
  });
  return server;
}

function rawAnswer(code: string): string {
  const { status, type, message } = REFUSALS[code] ?? NOT_HTTP;
  const requestId = newRequestId();
  const body = JSON.stringify({
    code: Number.parseInt(status, 10),
    type,
    message,
    errors: [],
    request_id: requestId,
  });
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
