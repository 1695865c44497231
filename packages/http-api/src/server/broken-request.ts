import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newRequestId, REQUEST_ID_HEADER } from '@zonewright/service-kit';
import { MEDIA_TYPES } from '../request/media-types.js';
import { Refusal, type RefusalCode } from '../request/refusal.js';

const CODES: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
  HPE_HEADER_OVERFLOW: 'header-too-large',
};

/**
 * Answers what Node could not read as a request, or did not receive in time: in the API's own error form, where
 * Node by itself would send a bare status line.
 *
 * @param toJson - the body of a refusal.
 */
export function answerBrokenRequest(toJson: (refusal: Refusal, requestId: string) => string) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = new Refusal(CODES[error.code ?? ''] ?? 'not-http');
    const requestId = newRequestId();
    const body = toJson(refusal, requestId);
    const lines = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
      `Content-Type: ${MEDIA_TYPES.json}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `${REQUEST_ID_HEADER}: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };
}
