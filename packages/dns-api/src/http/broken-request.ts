import type { Duplex } from 'node:stream';
import { newRequestId, REQUEST_ID_HEADER } from '@zonewright/service-kit';

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

/** Answers what is no request, or too slow to be one, in the API's own error form. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(rawAnswer(error.code ?? ''));
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
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
