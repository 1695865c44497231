import {
  baseUrlOf,
  endAnswer,
  hasUnreadBody,
  newRequestId,
  Overload,
  REQUEST_ID_HEADER,
  type RequestGate,
  type RequestLog,
  securityHeaders,
  sourceAddress,
  type Tracing,
} from '@zonewright/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.js';
import { toFault } from '../errors.js';
import type { RequestMetrics } from '../infrastructure/request-metrics.js';
import { representFault } from '../render-fault.js';
import { type AuditFacts, AuditTrail, isAudited, outcomeOf } from './audit.js';
import { checkSource, handleRequest } from './handle-request.js';
import { findResponseFormat, getResponseFormat, MEDIA_TYPES } from './negotiation.js';
import { invalidRequest } from '@zonewright/accounts';
import type { BodyReader } from './read-body.js';
import type { ApiResponse, RequestHead, Route } from './route.js';

export interface EndpointDependencies {
  readonly context: Context;
  readonly gate: RequestGate;
  readonly readBody: BodyReader;
  /** For requests without a token, which are all log-ins. */
  readonly readLogin: BodyReader;
  readonly metrics: RequestMetrics;
  readonly isTls: boolean;
  readonly logRequest: RequestLog;
  readonly tracing: Tracing | undefined;
}

/** The pattern of what no route takes. */
const NO_ROUTE = 'none';

/** A request and its answer to be, with what routing found out. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path as it was sent, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Answers a request for a route of the table, whatever becomes of it. */
export async function serveRoute(
  dependencies: EndpointDependencies,
  route: Route,
  exchange: Exchange,
): Promise<void> {
  const { context, gate } = dependencies;
  const readBody = route.access === 'public' ? dependencies.readLogin : dependencies.readBody;
  const audit = new AuditTrail();
  const done = await answer(dependencies, route.path, exchange, (requestId) => {
    const { request, response } = exchange;
    getResponseFormat(request);
    const head = toRequestHead(context, exchange, { requestId, audit });
    checkSource(context, route, head);
    const hasBody = route.method === 'POST' || route.method === 'PUT';
    return gate.run((turn) =>
      handleRequest(context, route, {
        head,
        turn,
        readBody: () =>
          hasBody ? turn.aside(() => readBody(request, response)) : Promise.resolve({}),
      }),
    );
  });
  if (isAudited(route)) logAudit(context, route, exchange, { ...done, facts: audit.facts });
}

/** Answers a request at once, where its route can; @returns whether it did. */
export function serveAtOnce(
  dependencies: EndpointDependencies,
  route: Route,
  exchange: Exchange,
): boolean {
  if (route.access !== 'token' || route.answerAtOnce === undefined) return false;
  const startedAt = performance.now();
  const { request, params } = exchange;
  if (findResponseFormat(request) === undefined) return false;
  const { headers } = request;
  const result = route.answerAtOnce(dependencies.context, { headers, params });
  if (result === undefined) return false;
  finish(dependencies, route.path, exchange, { startedAt, requestId: newRequestId(), result });
  return true;
}

/** Answers a request that no route takes, with the error that tells why. */
export async function serveError(
  dependencies: EndpointDependencies,
  error: unknown,
  exchange: Exchange,
): Promise<void> {
  await answer(dependencies, NO_ROUTE, exchange, () => {
    throw error;
  });
}

const SECURITY_HEADERS = { http: securityHeaders(false), https: securityHeaders(true) };

type Produce = (requestId: string) => Promise<ApiResponse> | ApiResponse;

async function answer(
  dependencies: EndpointDependencies,
  pattern: string,
  exchange: Exchange,
  produce: Produce,
): Promise<{ readonly requestId: string; readonly result: ApiResponse }> {
  const startedAt = performance.now();
  const requestId = newRequestId();
  let result: ApiResponse;
  try {
    result = await produce(requestId);
  } catch (error) {
    result = toErrorResponse(dependencies.context, error, { path: exchange.path, requestId });
  }
  finish(dependencies, pattern, exchange, { startedAt, requestId, result });
  return { requestId, result };
}

interface Outcome {
  /** By performance.now(). */
  readonly startedAt: number;
  readonly requestId: string;
  readonly result: ApiResponse;
}

function finish(
  { metrics, logRequest, isTls, tracing }: EndpointDependencies,
  pattern: string,
  exchange: Exchange,
  { startedAt, requestId, result }: Outcome,
): void {
  send(exchange, result, [
    ...SECURITY_HEADERS[isTls ? 'https' : 'http'],
    REQUEST_ID_HEADER,
    requestId,
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  const { method = '' } = exchange.request;
  const { status } = result;
  metrics.observe({ method, pattern, status, seconds });
  const milliseconds = Math.round(seconds * 10_000) / 10;
  // Until version 0.2 under their former names, too.
  const former = { pattern, ms: Math.round(milliseconds) };
  logRequest({ requestId, method, route: pattern, status, milliseconds, ...former });
  tracing?.describeRequest({
    method,
    requestId,
    route: pattern === NO_ROUTE ? undefined : pattern,
  });
}

/** docs/operations.md, Audit log: who did what, from where, and what became of it. */
function logAudit(
  { log, settings }: Context,
  { operation }: Route,
  { request, params }: Exchange,
  done: { readonly requestId: string; readonly result: ApiResponse; readonly facts: AuditFacts },
): void {
  log.info(
    {
      event: operation,
      outcome: outcomeOf(done.result),
      status: done.result.status,
      requestId: done.requestId,
      source: sourceAddress(request, settings.http.trustedProxies),
      accessKeyId: params['accessKeyId'],
      ...done.facts,
    },
    'audit',
  );
}

function toErrorResponse(
  { log }: Context,
  error: unknown,
  { path, requestId }: { readonly path: string; readonly requestId: string },
): ApiResponse {
  const fault = toFault(error, path);
  if (fault.status === 500) log.error({ requestId, err: error }, 'request failed');
  // The gate has a line for all that it refuses.
  else if (fault.status === 503 && !(error instanceof Overload))
    log.warn({ requestId, err: error }, 'request could not be served');
  return { status: fault.status, headers: fault.headers, body: representFault(fault, path) };
}

function send(exchange: Exchange, { status, headers, body }: ApiResponse, head: string[]): void {
  const { request, response } = exchange;
  addHeaders(head, exchange, headers);
  if (body === undefined) {
    response.writeHead(status, head).end();
    return;
  }
  const format = (body.toXml && findResponseFormat(request)) ?? 'json';
  const content = format === 'xml' && body.toXml ? body.toXml() : body.toJson();
  head.push('Content-Type', MEDIA_TYPES[format]);
  head.push('Content-Length', String(Buffer.byteLength(content)));
  response.writeHead(status, head);
  // Head and body leave in one write.
  endAnswer(request, response, content);
}

/** @param head - a flat list of names and values: what node:http takes with the least work. */
function addHeaders(
  head: string[],
  { request, response }: Exchange,
  headers: ApiResponse['headers'] = {},
): void {
  // CORS may have set it.
  head.push('Vary', response.hasHeader('Vary') ? 'Origin, Accept' : 'Accept');
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (hasUnreadBody(request)) head.push('Connection', 'close');
}

function toRequestHead(
  { settings }: Context,
  { request, path, params }: Exchange,
  { requestId, audit }: Pick<RequestHead, 'requestId' | 'audit'>,
): RequestHead {
  const query = parseQuery(request.url ?? '');
  // PostgreSQL's text cannot hold it.
  const texts = [...Object.values(params), ...query.values()];
  if (texts.some((text) => text.includes('\0'))) throw invalidRequest('the URI holds a NUL');
  return {
    params,
    query,
    headers: request.headers,
    path,
    source: sourceAddress(request, settings.http.trustedProxies),
    baseUrl: baseUrlOf(request, settings.http),
    requestId,
    audit,
  };
}

function parseQuery(target: string): URLSearchParams {
  return target.includes('?')
    ? new URL(target, 'http://localhost').searchParams
    : new URLSearchParams();
}
