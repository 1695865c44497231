import {
  ANSWER_WITHIN_MS,
  baseUrlOf,
  decodeUtf8,
  type Exchange,
  MEDIA_TYPES,
  parseJson,
  readBody,
  readContentType,
  type Reply,
  requireAcceptable,
  requireNotFolded,
  sourceAddress,
  type RequestSlot,
} from '@zonewright/http-api';
import { Overload, ServiceError } from '@zonewright/service-kit';
import type { ChangeSource } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { inFairOrder } from '../limits/tenant-turn.js';
import { chooseEncoding } from '../limits/compression.js';
import { sendCounted } from './hold-answer.js';
import { unlessNotModified } from './kept-answer.js';
import { identify } from './identify.js';
import { findCachedResponse } from './kept-answer.js';
import type { ApiRequest, BodyKind, Operation, TenantRequest } from './operation.js';
import { readQuery } from './read-query.js';
import type { ApiReply } from './reply.js';

const DEFAULT_SOURCE: ChangeSource = 'api';
const JSON_ONLY = [MEDIA_TYPES.json];
/** text/dns is RFC 4027's; people and tools also send text/plain. */
const ZONE_FILES = ['text/dns', 'text/plain', MEDIA_TYPES.json];

/** A batch holds up to ten thousand bodies, which take some 250 octets each; this many times the usual size is more than they need. */
const BATCH_SIZE_FACTOR = 16;

/** Members and items of a body, several times as many as it needs: a batch has up to ten thousand records. */
const MAX_JSON_VALUES: Readonly<Record<BodyKind, number>> = {
  none: 0,
  json: 1_000,
  'json-batch': 250_000,
  'zone-file': 1_000,
};

/** Far deeper than any body of this API (three levels; D-REQ). */
const MAX_JSON_DEPTH = 32;

/** Time limit of operations that read or write a whole zone. All others are answered within 2 s. */
const LONG_ANSWER_WITHIN_MS = 60_000;

/** The way of one request: who asks, what is asked, the answer. Access comes before anything of the body. */
export async function perform(
  context: Context,
  operation: Operation,
  exchange: Exchange,
): Promise<Reply> {
  const kept = await findCachedResponse(context, operation, exchange);
  if (kept !== undefined) return kept;
  const startedAt = performance.now();
  const work = await planWork(context, operation, exchange);
  const usualMs = operation.isLong === true ? LONG_ANSWER_WITHIN_MS : ANSWER_WITHIN_MS;
  const withinMs = operation.answerWithinMs ?? usualMs;
  const answerWithinMs = withinMs - (performance.now() - startedAt);
  const reply = await context.gate.run(work, { answerWithinMs });
  const { method, headers } = exchange.request;
  const isRead = method === 'GET' || method === 'HEAD';
  const answer = isRead ? unlessNotModified(headers['if-none-match'], reply) : reply;
  const encoding = operation.compresses && chooseEncoding(headers['accept-encoding']);
  return await sendCounted(context, exchange, answer, encoding);
}

/** A request at its turn. */
interface Work {
  readonly exchange: Exchange;
  readonly turn: RequestSlot;
  /** Told of each part of the body that arrives. @throws Overload when it is too much. */
  readonly take?: ((octets: number) => void) | undefined;
}

/** Plans the work of an authenticated request for its slot. */
async function planWork(
  context: Context,
  operation: Operation,
  exchange: Exchange,
): Promise<(turn: RequestSlot) => Promise<ApiReply>> {
  if (operation.access === 'public') {
    return async (turn) =>
      await operation.handle(context, await readRequest(context, operation, { exchange, turn }));
  }
  const who = await identify(context, operation, exchange);
  if (operation.access === 'nameserver') {
    // It takes from what the tenant has that it turns out to be for.
    return async (turn) => {
      const apiRequest = await readRequest(context, operation, { exchange, turn });
      return await operation.handle(context, {
        ...apiRequest,
        ...who,
        source: operation.source ?? DEFAULT_SOURCE,
      });
    };
  }
  return (turn) => performForTenant(context, operation, { exchange, turn }, who);
}

/** With what its tenant has of this process. */
async function performForTenant(
  context: Context,
  operation: Exclude<Operation, { access: 'public' }>,
  { exchange, turn }: Work,
  who: Pick<TenantRequest, 'caller' | 'holdToken'>,
): Promise<ApiReply> {
  const { tenantId } = who.caller;
  const { short, long, largeBodies, bodies, answers } = context.shares;
  if (!answers.hasRoom(tenantId)) throw new Overload();
  let octets = 0;
  const take = (length: number) => {
    if (!bodies.tryEnter(tenantId, { amount: length })) throw new Overload();
    octets += length;
  };
  try {
    const read = () => readRequest(context, operation, { exchange, turn, take });
    const apiRequest = await (hasLargeBody(exchange, operation)
      ? largeBodies.run(tenantId, read, { wait: (enter) => turn.aside(enter) })
      : read());
    const places = operation.isLong === true ? long : short;
    return await inFairOrder({ turn, places, tenantId }, (own) =>
      operation.handle(context, {
        ...apiRequest,
        turn: own,
        ...who,
        source: operation.source ?? DEFAULT_SOURCE,
      }),
    );
  } finally {
    bodies.leave(tenantId, { amount: octets });
  }
}

/** Many of one tenant that arrive at the same time would take each turn of the event loop for themselves. */
const LARGE_BODY_OCTETS = 65_536;

function hasLargeBody({ request: { headers } }: Exchange, { body }: Operation): boolean {
  return body !== 'none' && !(Number(headers['content-length']) <= LARGE_BODY_OCTETS);
}

async function readRequest(
  context: Context,
  operation: Operation,
  { exchange, turn, take }: Work,
): Promise<ApiRequest> {
  const { request, response, requestId, target, params, audited } = exchange;
  const { headers, method = '' } = request;
  requireAcceptable(headers.accept, operation.types ?? JSON_ONLY);
  refuseUnknownTag(operation, exchange);
  return {
    requestId,
    turn,
    method,
    target,
    params,
    query: readQuery(operation, target),
    body: await readOperationBody(context, operation.body, { exchange, turn, take }),
    headers: {
      ifMatch: headers['if-match'],
      idempotencyKey: textOf(headers['idempotency-key']),
      prefer: textOf(headers['prefer']),
      userAgent: headers['user-agent'],
    },
    header: (name) => textOf(headers[name.toLowerCase()]),
    sourceAddress: sourceAddress(request, context.settings.http),
    audit: (facts) => {
      Object.assign(audited, facts);
    },
    onAbandoned: (callback) => {
      if (response.destroyed) callback();
      else response.once('close', callback);
    },
    baseUrl: baseUrlOf(request, context.settings.http),
  };
}

/** RFC 9110 s13.1.1: an object without an ETag does not match the given ones, so the request must not be performed. */
function refuseUnknownTag(
  { method, hasTag }: Operation,
  { params, request: { headers } }: Exchange,
): void {
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const isOfObject = Object.keys(params).length > 0;
  if (method === 'GET' || !isOfObject || hasTag === true) return;
  const message = `If-Match is ${ifMatch}, but this has no ETag.`;
  throw new ServiceError('precondition-failed', message);
}

/** Node joins a header that came several times. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

async function readOperationBody(
  context: Context,
  kind: BodyKind,
  { exchange: { request, response }, turn, take }: Work,
): Promise<unknown> {
  // D-REQ: a body on GET and DELETE is ignored.
  if (kind === 'none') return undefined;
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  // Old clients may leave it out; then the body itself shows what it is.
  const type = readContentType(contentType, kind === 'zone-file' ? ZONE_FILES : JSON_ONLY);
  requireNotFolded(encoding);
  const isText = type !== undefined && type !== MEDIA_TYPES.json;
  const maxBytes = isText ? context.settings.http.maxImportBytes : maxJsonBytes(context, kind);
  const bytes = await turn.aside(() => readBody(request, response, { maxBytes, take }));
  if (isText) return decodeUtf8(bytes);
  return parseJson(bytes, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_JSON_VALUES[kind] });
}

/** JSON is read in one go, so a large zone file has to come as it is. */
function maxJsonBytes({ settings }: Context, kind: BodyKind): number {
  return settings.http.maxBodyBytes * (kind === 'json' ? 1 : BATCH_SIZE_FACTOR);
}
