import express from 'express';
import { type BodyBudget, inviteBody } from '@zonewright/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from './http-error.js';
import { getRequestFormat } from './negotiation.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import { invalidRequest } from '@zonewright/accounts';

/** Reads and parses the body of a request. */
export type BodyReader = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** express.raw, as node:http sees it. */
type RawReader = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: Error) => void,
) => void;

/** What a body may be. */
export interface BodyLimits {
  /** Also of what a compressed body unfolds to. */
  readonly maxBytes: number;
  /** Elements and attributes of an XML body, together. */
  readonly maxMarkup: number;
}

export function createBodyReader(
  { maxBytes, maxMarkup }: BodyLimits,
  budget: BodyBudget,
): BodyReader {
  const readRaw: RawReader = express.raw({ type: () => true, limit: maxBytes });
  return async (request, response) => {
    const format = getRequestFormat(request.headers);
    const bytes = await budget.count(request, () =>
      readBytes(readRaw, request, response, maxBytes),
    );
    const text = decodeUtf8(bytes);
    return format === 'xml' ? await parseXml(text, maxMarkup) : parseJson(text);
  };
}

async function readBytes(
  readRaw: RawReader,
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    if (refuseTooLarge(request, maxBytes, reject)) return;
    inviteBody(request, response);
    readRaw(request, response, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
  const body: unknown = 'body' in request ? request.body : undefined;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** At once: express.raw says so only when the last octet of a body has come, be it a gigabyte. @returns whether it is known already. */
function refuseTooLarge(
  request: IncomingMessage,
  maxBytes: number,
  refuse: (error: HttpError) => void,
): boolean {
  const error = () => new HttpError(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    refuse(error());
    return true;
  }
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) refuse(error());
  });
  return false;
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('the body is not UTF-8');
  }
}
