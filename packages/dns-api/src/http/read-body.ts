import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { inviteBody } from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import { measureJson } from './json-shape.js';
import { RequestRefused } from './request-refused.js';

/** Far deeper than any body of this API (three levels); keeps recursive code safe (decisions 1.4). */
const MAX_JSON_DEPTH = 32;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface ReadOptions {
  readonly maxBytes: number;
  /** Told of each part that arrives; it may throw to say that this is too much. */
  readonly take?: ((octets: number) => void) | undefined;
}

/** @throws RequestRefused 413 when the body is larger than `maxBytes`. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, take }: ReadOptions,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  inviteBody(request, response);
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      try {
        if (length > maxBytes) throw tooLarge(maxBytes);
        take?.(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        // Not destroyed: the answer still has to leave by this connection.
        request.off('data', onData);
        request.pause();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    request.on('data', onData);
    request.on('end', resolve);
    // The client went away in the middle of it; nobody sees this answer, and it is nobody's mistake here.
    const breakOff = () => {
      if (!request.complete) reject(notJson('The request broke off.'));
    };
    request.on('error', breakOff);
    request.on('close', breakOff);
  });
  return Buffer.concat(chunks);
}

/**
 * @param maxValues how many members and items the largest body of its kind may need.
 * @throws ServiceError `invalid` with the place where the text stops being JSON.
 */
export function parseJsonBody(bytes: Buffer, maxValues: number): unknown {
  const { depth, values } = measureJson(bytes);
  if (depth > MAX_JSON_DEPTH) {
    throw notJson(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  if (values > maxValues) {
    throw notJson(`The body holds more than ${maxValues} values.`);
  }
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw notJson('The request has no body; it must be a JSON object.');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(`The body is not JSON: ${(error as Error).message}.`);
  }
}

/** @throws ServiceError `invalid` for octets that are no UTF-8 (RFC 8259 s8.1). */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notJson('The body is not UTF-8 text.');
  const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return bytes.toString('utf8', isMarked ? BYTE_ORDER_MARK.length : 0);
}

function notJson(message: string): ServiceError {
  return new ServiceError('invalid', message, { details: { subject: 'json' } });
}

function tooLarge(maxBytes: number): RequestRefused {
  return new RequestRefused(
    { status: 413, type: 'over_quota' },
    `The body is larger than ${maxBytes} bytes, the most that this operation takes.`,
  );
}
