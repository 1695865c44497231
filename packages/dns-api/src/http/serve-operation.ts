import type { Request, Response } from 'express';
import { baseUrlOf, type Turn } from '@zonewright/service-kit';
import { readToken } from '../access/read-token.js';
import { requireOperator } from '../access/require-operator.js';
import type { Caller } from '@zonewright/zones';
import type { Context } from '../context.js';
import { inTenantTurn } from '../limits/tenant-turn.js';
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
import { sendReply } from './send-reply.js';
import { traceOf } from './trace-request.js';

/** A batch holds up to a thousand bodies; this many times the usual size is more than they need. */
const BATCH_SIZE_FACTOR = 8;

/** Members and items of a body, several times as many as it needs: a batch has up to a thousand records. */
const MAX_JSON_VALUES: Readonly<Record<BodyKind, number>> = {
  none: 0,
  json: 1_000,
  'json-batch': 25_000,
  'zone-file': 1_000,
};

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
  await sendReply(context, response, reply);
}

/** A request at its turn. */
interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly turn: Turn;
  /** Told of each part of the body that arrives. @throws Overload when it is too much. */
  readonly take?: ((octets: number) => void) | undefined;
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
  return await performForTenant(context, operation, exchange, caller);
}

/** With what its tenant has of this process. */
async function performForTenant(
  context: Context,
  operation: Exclude<Operation, { access: 'public' }>,
  { request, response, turn }: Exchange,
  caller: Caller,
): Promise<ApiReply> {
  const { tenantId } = caller;
  const { short, long, bodies, answers } = context.shares;
  answers.requireSome(tenantId);
  let octets = 0;
  const take = (length: number) => {
    bodies.requireSome(tenantId);
    bodies.take(tenantId, length);
    octets += length;
  };
  try {
    const apiRequest = await readRequest(context, operation, { request, response, turn, take });
    const places = operation.isLong === true ? long : short;
    return await inTenantTurn({ turn, places, tenantId }, (own) =>
      operation.handle(context, { ...apiRequest, turn: own, caller }),
    );
  } finally {
    bodies.giveBack(tenantId, octets);
  }
}

async function readRequest(
  context: Context,
  operation: Operation,
  { request, response, turn, take }: Exchange,
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
    body: await readOperationBody(context, operation.body, { request, response, turn, take }),
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
  { request, response, turn, take }: Exchange,
): Promise<unknown> {
  // decisions 1.2: a body on GET and DELETE is ignored.
  if (kind === 'none') return undefined;
  const type = request.get('content-type');
  requireContentType(kind, type);
  requireNoEncoding(request.get('content-encoding'));
  const isText =
    kind === 'zone-file' && type !== undefined && mediaType(type) !== 'application/json';
  const maxBytes = isText ? context.settings.http.maxImportBytes : maxJsonBytes(context, kind);
  const bytes = await turn.aside(() => readBody(request, response, { maxBytes, take }));
  return isText ? decodeUtf8(bytes) : parseJsonBody(bytes, MAX_JSON_VALUES[kind]);
}

/** JSON is read in one go, so a large zone file has to come as it is. */
function maxJsonBytes({ settings }: Context, kind: BodyKind): number {
  return settings.http.maxBodyBytes * (kind === 'json' ? 1 : BATCH_SIZE_FACTOR);
}
