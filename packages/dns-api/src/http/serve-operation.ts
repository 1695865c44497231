import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { baseUrlOf, type Turn } from '@zonewright/service-kit';
import { readToken } from '../access/read-token.js';
import { requireOperator } from '../access/require-operator.js';
import type { Context } from '../context.js';
import {
  mediaType,
  requireAcceptable,
  requireContentType,
  requireNoEncoding,
} from './media-types.js';
import type { ApiRequest, BodyKind, Operation } from './operation.js';
import { decodeUtf8, parseJsonBody, readBody } from './read-body.js';
import { readQuery } from './read-query.js';
import type { ApiReply } from './reply.js';
import { traceOf } from './trace-request.js';

/** A batch holds up to a thousand bodies; this many times the usual size is more than they need. */
const BATCH_SIZE_FACTOR = 8;

/** What reads or writes a whole zone takes its time; all else is answered within 2 s. */
const LONG_ANSWER_WITHIN_MS = 60_000;

/** The way of one request: who asks, what is asked, the answer. Access comes before anything of the body. */
export async function serveOperation(
  context: Context,
  operation: Operation,
  request: Request,
  response: Response,
): Promise<void> {
  const trace = traceOf(response);
  trace.route = operation.path;
  if (operation.method !== 'get') trace.change = operation.name;
  const reply = await context.gate.run(
    (turn) => perform(context, operation, { request, response, turn }),
    operation.isLong === true ? { answerWithinMs: LONG_ANSWER_WITHIN_MS } : {},
  );
  await sendReply(response, reply);
}

/** A request at its turn. */
interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly turn: Turn;
}

async function perform(
  context: Context,
  operation: Operation,
  exchange: Exchange,
): Promise<ApiReply> {
  const { request, response } = exchange;
  if (operation.access === 'public') {
    return await operation.handle(context, await readRequest(context, operation, exchange));
  }
  const caller = await context.tokens.validate(readToken(request.get('x-auth-token')));
  const trace = traceOf(response);
  trace.tenantId = caller.tenantId;
  trace.userId = caller.userId;
  if (operation.access === 'operator') {
    requireOperator(caller, context.settings.access.operatorRoles);
  }
  const apiRequest = await readRequest(context, operation, exchange);
  return await operation.handle(context, { ...apiRequest, caller });
}

async function readRequest(
  context: Context,
  operation: Operation,
  { request, response, turn }: Exchange,
): Promise<ApiRequest> {
  const target = request.url;
  requireAcceptable(operation.answers ?? ['application/json'], request.get('accept'));
  return {
    requestId: traceOf(response).requestId,
    turn,
    method: request.method,
    target,
    params: request.params as Record<string, string>,
    query: readQuery(operation, target),
    body: await readOperationBody(context, operation.body, { request, turn }),
    headers: {
      ifMatch: request.get('if-match'),
      idempotencyKey: request.get('idempotency-key'),
      prefer: request.get('prefer'),
      userAgent: request.get('user-agent'),
    },
    onAbandoned: (callback) => {
      if (response.destroyed) callback();
      else response.once('close', callback);
    },
    baseUrl: baseUrlOf(request, context.settings.http),
  };
}

async function readOperationBody(
  context: Context,
  kind: BodyKind,
  { request, turn }: Pick<Exchange, 'request' | 'turn'>,
): Promise<unknown> {
  // decisions 1.2: a body on GET and DELETE is ignored.
  if (kind === 'none') return undefined;
  const type = request.get('content-type');
  requireContentType(kind, type);
  requireNoEncoding(request.get('content-encoding'));
  const bytes = await turn.aside(() =>
    context.bodies.count(request, () => readBody(request, maxBytes(context, kind))),
  );
  if (kind === 'zone-file' && type !== undefined && mediaType(type) !== 'application/json') {
    return decodeUtf8(bytes);
  }
  return parseJsonBody(bytes);
}

function maxBytes({ settings }: Context, kind: BodyKind): number {
  switch (kind) {
    case 'zone-file':
      return settings.http.maxImportBytes;
    case 'json-batch':
      return settings.http.maxBodyBytes * BATCH_SIZE_FACTOR;
    default:
      return settings.http.maxBodyBytes;
  }
}

async function sendReply(response: Response, reply: ApiReply): Promise<void> {
  if (typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)) {
    response.writeHead(reply.status, reply.headers);
    await pipeline(Readable.from(reply.body), response);
    return;
  }
  const body = typeof reply.body === 'string' ? Buffer.from(reply.body, 'utf8') : reply.body;
  response.writeHead(reply.status, { ...reply.headers, 'Content-Length': body.length }).end(body);
}
