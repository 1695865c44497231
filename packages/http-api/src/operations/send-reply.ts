import type { ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REQUEST_ID_HEADER } from '@zonewright/service-kit';
import type { Representation } from '../bodies/representation.js';
import { findAcceptable, formatOf, MEDIA_TYPES } from '../messages/media-types.js';
import { endAnswer, hasUnreadBody } from '../messages/unread-body.js';
import type { Exchange } from './operation.js';

/** Common parts of all responses of an API. */
interface ReplyForm {
  /** Flat list of names and values, which is the fastest form for node:http. */
  readonly headers: readonly string[];
  /** Media types of bodies in the accepted format. */
  readonly types: readonly string[];
}

/** Sends a response. If it is written in pieces, the promise resolves when the client has received all of it. */
export function sendReply(
  exchange: Exchange,
  { status, headers, cookies = [], body }: Reply,
  form: ReplyForm,
): Promise<void> | undefined {
  const { request, response } = exchange;
  const head = headOf(exchange, { headers: headers ?? {}, cookies }, form);
  if (body === undefined) {
    response.writeHead(status, head).end();
    return undefined;
  }
  if (typeof body === 'object' && Symbol.asyncIterator in body) {
    response.writeHead(status, head);
    return pipeline(Readable.from(body), response).catch(unlessGone);
  }
  if (typeof body === 'object' && 'open' in body) {
    exchange.answeredAt = performance.now();
    body.open(beginStream(response, status, head));
    return undefined;
  }
  const content =
    typeof body === 'string' || Buffer.isBuffer(body)
      ? body
      : write(body, exchange, { head, types: form.types });
  head.push('Content-Length', String(Buffer.byteLength(content)));
  response.writeHead(status, head);
  // Sends head and body in one write.
  endAnswer(request, response, content);
  return undefined;
}

/**
 * Sends the head of a response that ends with its connection (RFC 9112 s6.3). The body is written to the connection
 * directly, since node:http costs twice as much for each piece.
 */
function beginStream(response: ServerResponse, status: number, head: string[]): Writable {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status, head).flushHeaders();
  const { socket } = response;
  // An earlier response on this connection is not finished.
  if (socket === null) return response;
  return socket.once('finish', () => socket.destroy());
}

/** Ignores a client that disconnects early: the log line of the request says 499. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

/** Returns the headers as a flat list of names and values. The body adds its own headers. */
function headOf(
  exchange: Exchange,
  { headers, cookies }: Required<Pick<Reply, 'headers' | 'cookies'>>,
  form: ReplyForm,
): string[] {
  const { request, response, requestId } = exchange;
  const head = [REQUEST_ID_HEADER, requestId, ...form.headers];
  // Accept decides between a response and a 406. Origin is also relevant if CORS has added it.
  head.push('Vary', response.hasHeader('Vary') ? 'Origin, Accept' : 'Accept');
  for (const name in headers) head.push(name, headers[name] ?? '');
  for (const cookie of cookies) head.push('Set-Cookie', cookie);
  if (hasUnreadBody(request)) {
    head.push('Connection', 'close');
    exchange.answeredAt = performance.now();
  }
  return head;
}

/** Writes a body in the accepted format. An error about the format itself is JSON. */
function write(
  { toJson, toXml }: WrittenBody,
  { request }: Exchange,
  { head, types }: { readonly head: string[]; readonly types: readonly string[] },
): string | Buffer {
  const type = toXml && findAcceptable(request.headers.accept, types);
  const format = type === undefined ? 'json' : formatOf(type);
  head.push('Content-Type', MEDIA_TYPES[format]);
  return format === 'xml' && toXml !== undefined ? toXml() : toJson();
}

/** Body in the format that the client accepts: JSON, or XML if there is `toXml`. */
export interface WrittenBody {
  readonly toJson: () => string | Buffer;
  readonly toXml?: Representation['toXml'] | undefined;
}

/** Body that is written when events happen, until one side closes the connection. */
export interface LiveBody {
  /** Called once, after the head is sent. Ending or destroying `client` ends the response. */
  readonly open: (client: Writable) => void;
}

/** Response of an operation. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie, the only header that may occur more than once (RFC 6265 s3). */
  readonly cookies?: readonly string[];
  /**
   * For text and bytes, the headers contain the Content-Type. An iterable is written piece by piece. Undefined for an
   * empty body.
   */
  readonly body?: string | Buffer | AsyncIterable<string | Buffer> | WrittenBody | LiveBody;
}

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Returns the headers of every response for browsers and caches, as a flat list. Browsers must not guess
 * another Content-Type and must always use TLS after TLS (RFC 6797). No copy may be stored: responses depend on
 * X-Auth-Token, which caches ignore (RFC 9111 s3.5).
 */
export function securityHeaders(isTls: boolean): readonly string[] {
  const always = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];
  return isTls ? [...always, 'Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`] : always;
}

/** Headers of the few HTML responses: nothing may be loaded, executed or framed. */
export const HTML_SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;
