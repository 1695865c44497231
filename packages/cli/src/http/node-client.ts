import { Client, type ClientOptions } from '@zonewright/client';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Statuses of responses without a body (RFC 9110, 15.3.5 and 15.4.5). */
const WITHOUT_BODY = new Set([204, 304]);

/** Creates a client that starts faster than one with the built-in `fetch`. */
export function createClient(options: ClientOptions, fetch = nodeFetch): Client {
  return new Client({ ...options, fetch });
}

/**
 * Minimal `fetch` for the client: it sends text to a URL and follows no redirects. Loading the built-in one takes 0.1 s
 * of CPU time, a third of a whole command.
 */
export function nodeFetch(
  input: Parameters<typeof fetch>[0],
  { method, headers, body, signal }: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method,
      headers: { 'Accept-Encoding': 'gzip', ...(headers as Record<string, string> | undefined) },
      signal: signal ?? undefined,
    });
    sent.on('error', reject);
    sent.on('response', (message) => {
      try {
        resolve(readResponse(message));
      } catch (error) {
        sent.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    // Send bytes: Node.js would write a string together with the header fields, in the encoding of the string.
    sent.end(typeof body === 'string' ? Buffer.from(body) : undefined);
  });
}

/** @throws Error for a redirect, which would send the token elsewhere */
function readResponse(message: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = message;
  if (headers.location !== undefined && status >= 300 && status < 400) {
    throw new Error(`redirected to ${headers.location}`);
  }
  const answered = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  if (WITHOUT_BODY.has(status)) {
    // Otherwise the connection would count as in use, and the process would wait for it.
    message.resume();
    return new Response(null, { status, headers: answered });
  }
  const bytes: Readable =
    headers['content-encoding'] === 'gzip'
      ? pipeline(message, createGunzip(), () => {
          // The reader of the decompressed stream receives this error.
        })
      : message;
  // The two declarations of the class have different types of readers.
  return new Response(Readable.toWeb(bytes) as ReadableStream, { status, headers: answered });
}
