import { newRequestId, REQUEST_ID_HEADER } from '@zonewright/service-kit';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { toFault } from '../errors.js';
import { representFault } from '../render-fault.js';
import { HttpError } from './http-error.js';
import { MEDIA_TYPES } from './negotiation.js';
import { invalidRequest } from '@zonewright/accounts';

/**
 * Answers what Node could not read as a request, or did not receive in time: in the API's own error form, where
 * Node by itself would send a bare status line (decisions 1.4).
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = toFault(toError(error.code), '');
  const body = representFault(fault, '').toJson();
  const lines = [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status] ?? ''}`,
    `Content-Type: ${MEDIA_TYPES.json}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${newRequestId()}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function toError(code: string | undefined): Error {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError(408, 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError(431, 'the request headers are too large');
    default:
      return invalidRequest('this is not an HTTP request');
  }
}
