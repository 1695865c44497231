import express, { type Request, type RequestHandler, type Response } from 'express';
import { getRequestFormat } from './negotiation.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import { invalidRequest } from './problems.js';

/** Reads and parses the body of a request. */
export type BodyReader = (request: Request, response: Response) => Promise<unknown>;

/** @returns a reader that takes at most `maxBytes`, also of what a compressed body unfolds to. */
export function createBodyReader(maxBytes: number): BodyReader {
  const readRaw = express.raw({ type: () => true, limit: maxBytes });
  return async (request, response) => {
    const format = getRequestFormat(request.headers);
    const text = decodeUtf8(await readBytes(readRaw, request, response));
    return format === 'xml' ? await parseXml(text) : parseJson(text);
  };
}

async function readBytes(
  readRaw: RequestHandler,
  request: Request,
  response: Response,
): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    void readRaw(request, response, (error?: Error | string) => {
      if (error === undefined) resolve();
      else reject(error instanceof Error ? error : new Error(error));
    });
  });
  const body = request.body as unknown;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest('the body is not UTF-8');
  }
}
