import type { IncomingMessage, ServerResponse } from 'node:http';
import { inviteBody, ServiceError } from '@zonewright/service-kit';
import { RequestRefused } from './request-refused.js';

/** Far deeper than any body of this API (three levels); keeps recursive code safe (decisions 1.4). */
const MAX_JSON_DEPTH = 32;

/** @throws RequestRefused 413 when the body is larger than `maxBytes`. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  inviteBody(request, response);
  const chunks: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      // Not destroyed: the answer still has to leave by this connection.
      request.off('data', take);
      request.pause();
      reject(tooLarge(maxBytes));
    };
    request.on('data', take);
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

/** @throws ServiceError `invalid` with the place where the text stops being JSON. */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw notJson('The request has no body; it must be a JSON object.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notJson(`The body is not JSON: ${(error as Error).message}.`);
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) {
    throw notJson(`The body nests deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  return value;
}

/** @throws ServiceError `invalid` for octets that are no UTF-8 (RFC 8259 s8.1). */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notJson('The body is not UTF-8 text.');
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
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
