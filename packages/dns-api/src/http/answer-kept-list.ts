import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newRequestId, normalizeRequestTarget, REQUEST_ID_HEADER } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import type { Context } from '../context.js';
import { findKeptList } from '../records/list-records.js';
import { RECORDS_PATH } from '../records/routes.js';
import { commonHeaders, type RequestTracer, varyOf } from './trace-request.js';

/** A whole list, without a query; what is more than that, Express takes apart. */
const RECORDS_TARGET = /^\/v1\/domains\/([0-9a-fA-F-]{36})\/records$/;
/** What needs no weighing: `*` and JSON, or nothing at all. */
const PLAIN_ACCEPTS: readonly (string | undefined)[] = [undefined, '*/*', 'application/json'];

/** The usual way has what is left of the time in which an answer is due. */
const KEPT_WITHIN_MS = 100;

/**
 * Answers List Records before Express when the caller's token is known and the list was rendered before: what clients
 * ask over and over to see whether anything has changed. Owner and serial are read from the zone's row as for every request.
 * It only ever says yes: whatever else is to be said goes through `next`, from the beginning.
 */
export function answerKeptLists(
  context: Context,
  tracer: RequestTracer,
  next: RequestListener,
): RequestListener {
  const headers = [...commonHeaders(context)].flat();
  return (request, response) => {
    const caller = request.method === 'GET' ? findCaller(context, request) : undefined;
    const target = caller && normalizeRequestTarget(request.url ?? '/');
    const zoneId = target && RECORDS_TARGET.exec(target)?.[1];
    if (caller === undefined || zoneId === undefined) {
      next(request, response);
      return;
    }
    const userAgent = request.headers['user-agent'];
    const startedAt = performance.now();
    findBody(context, caller, { zoneId, userAgent }).then(
      (body) => {
        if (body === undefined) next(request, response);
        else answer({ request, response, tracer, headers }, { caller, startedAt, body });
      },
      // The reason shows again on the usual way, which can answer with it.
      () => {
        next(request, response);
      },
    );
  };
}

async function findBody(
  context: Context,
  caller: Caller,
  wanted: Parameters<typeof findKeptList>[2],
): Promise<Buffer | undefined> {
  const { kept } = context.shares;
  await kept.enter(caller.tenantId);
  try {
    const options = { answerWithinMs: KEPT_WITHIN_MS };
    return await context.gate.run(() => findKeptList(context, caller, wanted), options);
  } finally {
    kept.leave(caller.tenantId);
  }
}

function findCaller({ tokens }: Context, { headers }: IncomingMessage): Caller | undefined {
  const token = headers['x-auth-token'];
  return typeof token === 'string' && PLAIN_ACCEPTS.includes(headers.accept)
    ? tokens.findKnown?.(token)
    : undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tracer: RequestTracer;
  /** Those of every answer, as a flat list. */
  readonly headers: readonly string[];
}

interface KeptAnswer {
  readonly caller: Caller;
  readonly startedAt: number;
  readonly body: Buffer;
}

function answer(
  { request, response, tracer, headers }: Exchange,
  { caller, startedAt, body }: KeptAnswer,
): void {
  const requestId = newRequestId();
  const trace = { requestId, route: RECORDS_PATH, tenantId: caller.tenantId };
  tracer({ request, response }, trace, startedAt);
  // A flat list: what node:http takes with the least work.
  const head = [REQUEST_ID_HEADER, requestId, ...headers, 'Vary', varyOf(response)];
  head.push('Content-Type', 'application/json', 'Content-Length', String(body.length));
  response.writeHead(200, head).end(body);
}
