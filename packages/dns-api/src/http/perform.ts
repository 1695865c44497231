import {
  ANSWER_WITHIN_MS,
  baseUrlOf,
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
import { type FairSlots, Overload, ServiceError } from '@zonewright/service-kit';
import { decodeFile } from '@zonewright/dns-records';
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
/** RFC 4027 defines text/dns. People and tools also send text/plain. */
const ZONE_FILES = ['text/dns', 'text/plain', MEDIA_TYPES.json];

/**
 * Factor between the maximum sizes of a batch and a single body. A batch contains up to 10,000 bodies of about 250
 * bytes each.
 */
const BATCH_SIZE_FACTOR = 16;

/** Maximum number of members and items in a body, with a wide margin: a batch has up to 10,000 records. */
const MAX_JSON_VALUES: Readonly<Record<BodyKind, number>> = {
  none: 0,
  json: 1_000,
  'json-batch': 250_000,
  'zone-file': 1_000,
};

/** The maximum depth of JSON, which far exceeds any body of this API, which has three levels (D-REQ). */
const MAX_JSON_DEPTH = 32;

/** Time limit of operations that read or write a whole zone. All others are answered within 2 s. */
const LONG_ANSWER_WITHIN_MS = 60_000;

/** Handles a request: authentication, access check, body, response. The body is not read before the access check. */
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

/** A request in its slot. */
interface Work {
  readonly exchange: Exchange;
  readonly turn: RequestSlot;
  /** Called for each part of the body that arrives. @throws Overload if the body is too large */
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
    // The request uses the budget of the tenant that pays for it.
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

/** Performs the request within the tenant's share of this process. */
async function performForTenant(
  context: Context,
  operation: Exclude<Operation, { access: 'public' }>,
  { exchange, turn }: Work,
  who: Pick<TenantRequest, 'caller' | 'holdToken'>,
): Promise<ApiReply> {
  const { tenantId } = who.caller;
  const { largeBodies, bodies, answers } = context.shares;
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
    const places = slotsOf(context, operation);
    return await inFairOrder({ turn, places, tenantId }, (own) =>
      operation.handle(context, {
        ...apiRequest,
        turn: own,
        ...who,
        source: operation.source ?? DEFAULT_SOURCE,
        mayConnect: operation.isQueued !== true,
      }),
    );
  } finally {
    bodies.leave(tenantId, { amount: octets });
  }
}

function slotsOf({ shares }: Context, { isLong, isQueued }: Operation): FairSlots {
  if (isLong === true) return shares.long;
  return isQueued === true ? shares.queued : shares.short;
}

/**
 * Body size from which a request waits for a slot. Many large bodies of one tenant would otherwise block the event
 * loop.
 */
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
  const message = `If-Match is ${ifMatch}, but this resource has no ETag.`;
  throw new ServiceError('precondition-failed', message);
}

/** Node.js joins a header that is sent several times. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

async function readOperationBody(
  context: Context,
  kind: BodyKind,
  { exchange: { request, response }, turn, take }: Work,
): Promise<unknown> {
  // Bodies of GET and DELETE are ignored (D-REQ).
  if (kind === 'none') return undefined;
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  // Old clients may omit the type. The body itself then shows its format.
  const type = readContentType(contentType, kind === 'zone-file' ? ZONE_FILES : JSON_ONLY);
  requireNotFolded(encoding);
  const isText = type !== undefined && type !== MEDIA_TYPES.json;
  const maxBytes = isText ? context.settings.http.maxImportBytes : maxJsonBytes(context, kind);
  const bytes = await turn.aside(() => readBody(request, response, { maxBytes, take }));
  if (isText) return decodeFile(bytes);
  return parseJson(bytes, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_JSON_VALUES[kind] });
}

/** JSON is parsed in one call, so a large zone file must be sent as text. */
function maxJsonBytes({ settings }: Context, kind: BodyKind): number {
  return settings.http.maxBodyBytes * (kind === 'json' ? 1 : BATCH_SIZE_FACTOR);
}
