import { newRequestId, REQUEST_ID_HEADER, type RequestLog } from '@zonewright/service-kit';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.js';
import { toFault } from '../errors.js';
import type { RequestMetrics } from '../infrastructure/request-metrics.js';
import { representFault } from '../render-fault.js';
import { handleRequest } from './handle-request.js';
import { findResponseFormat, getResponseFormat, MEDIA_TYPES } from './negotiation.js';
import { invalidRequest } from './problems.js';
import type { BodyReader } from './read-body.js';
import type { ApiResponse, RequestHead, Route } from './route.js';
import { sourceAddress } from './source-address.js';

export interface EndpointDependencies {
  readonly context: Context;
  readonly readBody: BodyReader;
  readonly metrics: RequestMetrics;
  readonly logRequest: RequestLog;
}

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
  await answer(dependencies, route.path, exchange, async (requestId) => {
    const { request, response } = exchange;
    getResponseFormat(request);
    const hasBody = route.method === 'POST' || route.method === 'PUT';
    return await handleRequest(dependencies.context, route, {
      head: toRequestHead(dependencies.context, exchange, requestId),
      readBody: () => (hasBody ? dependencies.readBody(request, response) : Promise.resolve({})),
    });
  });
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
  await answer(dependencies, 'none', exchange, () => {
    throw error;
  });
}

type Produce = (requestId: string) => Promise<ApiResponse> | ApiResponse;

async function answer(
  dependencies: EndpointDependencies,
  pattern: string,
  exchange: Exchange,
  produce: Produce,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = newRequestId();
  let result: ApiResponse;
  try {
    result = await produce(requestId);
  } catch (error) {
    result = toErrorResponse(dependencies.context, error, { path: exchange.path, requestId });
  }
  finish(dependencies, pattern, exchange, { startedAt, requestId, result });
}

interface Outcome {
  /** By performance.now(). */
  readonly startedAt: number;
  readonly requestId: string;
  readonly result: ApiResponse;
}

function finish(
  { metrics, logRequest }: EndpointDependencies,
  pattern: string,
  exchange: Exchange,
  { startedAt, requestId, result }: Outcome,
): void {
  send(exchange, result, requestId);
  const seconds = (performance.now() - startedAt) / 1000;
  const { method = '' } = exchange.request;
  const { status } = result;
  metrics.observe({ method, pattern, status, seconds });
  logRequest({ requestId, method, pattern, status, ms: Math.round(seconds * 1000) });
}

function toErrorResponse(
  { log }: Context,
  error: unknown,
  { path, requestId }: { readonly path: string; readonly requestId: string },
): ApiResponse {
  const fault = toFault(error, path);
  if (fault.status === 500) log.error({ requestId, err: error }, 'request failed');
  else if (fault.status === 503) log.warn({ requestId, err: error }, 'request could not be served');
  return { status: fault.status, headers: fault.headers, body: representFault(fault, path) };
}

function send(
  { request, response }: Exchange,
  { status, headers = {}, body }: ApiResponse,
  requestId: string,
): void {
  // A flat list: what node:http takes with the least work.
  const head = [REQUEST_ID_HEADER, requestId, 'Vary', 'Accept'];
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (body === undefined) {
    response.writeHead(status, head).end();
    return;
  }
  const format = (body.toXml && findResponseFormat(request)) ?? 'json';
  const text = format === 'xml' && body.toXml ? body.toXml() : body.toJson();
  head.push('Content-Type', MEDIA_TYPES[format]);
  head.push('Content-Length', String(Buffer.byteLength(text)));
  response.writeHead(status, head);
  // As one text with the head, so that both leave in one write.
  response.end(text);
}

function toRequestHead(
  { settings }: Context,
  { request, path, params }: Exchange,
  requestId: string,
): RequestHead {
  const { publicUrl, trustedProxies } = settings.http;
  const query = parseQuery(request.url ?? '');
  // PostgreSQL's text cannot hold it.
  const texts = [...Object.values(params), ...query.values()];
  if (texts.some((text) => text.includes('\0'))) throw invalidRequest('the URI holds a NUL');
  return {
    params,
    query,
    headers: request.headers,
    path,
    source: sourceAddress(request, trustedProxies),
    baseUrl: publicUrl?.replace(/\/+$/, '') ?? `http://${request.headers.host ?? 'localhost'}`,
    requestId,
  };
}

function parseQuery(target: string): URLSearchParams {
  return target.includes('?')
    ? new URL(target, 'http://localhost').searchParams
    : new URLSearchParams();
}
