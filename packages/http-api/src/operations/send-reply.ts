import type { ServerResponse } from 'node:http';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REQUEST_ID_HEADER } from '@zonewright/service-kit';
import type { Representation } from '../bodies/representation.js';
import { findAcceptable, formatOf, MEDIA_TYPES } from '../messages/media-types.js';
import { endAnswer, hasUnreadBody } from '../messages/unread-body.js';
import type { Exchange } from './operation.js';

/** What all answers of an API have in common. */
interface ReplyForm {
  /** A flat list of names and values: what node:http takes with the least work. */
  readonly headers: readonly string[];
  /** The media types of bodies that are written in the format that is accepted. */
  readonly types: readonly string[];
}

/** Sends an answer; of one that is written piece by piece the promise ends when the client has all of it. */
export function sendReply(
  exchange: Exchange,
  { status, headers = {}, body }: Reply,
  form: ReplyForm,
): Promise<void> | undefined {
  const { request, response } = exchange;
  const head = headOf(exchange, headers, form);
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
  // Head and body leave in one write.
  endAnswer(request, response, content);
  return undefined;
}

/**
 * Sends the head of an answer that ends with its connection (RFC 9112 s6.3), so that the rest of it goes into the connection itself:
 * the way through node:http costs twice as much for each piece.
 */
function beginStream(response: ServerResponse, status: number, head: string[]): Writable {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status, head).flushHeaders();
  const { socket } = response;
  // Another answer of this connection comes first.
  if (socket === null) return response;
  return socket.once('finish', () => socket.destroy());
}

/** Whoever leaves before the end has no answer, which is no fault: the line of the request says 499. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

/** A flat list of names and values; the body adds its own. */
function headOf(
  exchange: Exchange,
  headers: NonNullable<Reply['headers']>,
  form: ReplyForm,
): string[] {
  const { request, response, requestId } = exchange;
  const head = [REQUEST_ID_HEADER, requestId, ...form.headers];
  // Accept decides between an answer and a 406; CORS may have said before that Origin decides, too.
  head.push('Vary', response.hasHeader('Vary') ? 'Origin, Accept' : 'Accept');
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (hasUnreadBody(request)) {
    head.push('Connection', 'close');
    exchange.answeredAt = performance.now();
  }
  return head;
}

/** Writes a body in the format that is accepted; an error about none being so comes in JSON. */
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

/** A body that is written in the format that the client accepts: JSON, or where there is `toXml`, XML. */
export interface WrittenBody {
  readonly toJson: () => string | Buffer;
  readonly toXml?: Representation['toXml'] | undefined;
}

/** A body without an end of its own: written as things happen, for as long as both sides want it. */
export interface LiveBody {
  /** Called once, when the head has been sent; to end or destroy `client` ends the answer. */
  readonly open: (client: Writable) => void;
}

/** What an operation answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and octets have their Content-Type among the headers; pieces are written one by one. Undefined: none. */
  readonly body?: string | Buffer | AsyncIterable<string | Buffer> | WrittenBody | LiveBody;
}

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * What every answer of an API says to browsers and caches, as a flat list of names and values: take the Content-Type
 * as it is, keep no copy (answers depend on X-Auth-Token, which caches know nothing of: RFC 9111 s3.5), and over
 * TLS come by TLS again (RFC 6797).
 */
export function securityHeaders(isTls: boolean): readonly string[] {
  const always = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store'];
  return isTls ? [...always, 'Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}`] : always;
}

/** For the few answers that are HTML: nothing is loaded, run or framed. */
export const HTML_SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;
