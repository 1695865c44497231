import type { Logger } from '@zonewright/service-kit';
import { newRequestId, REQUEST_ID_HEADER } from '@zonewright/service-kit';
import type { Request, Response } from 'express';
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
}

/** Answers a request for a route of the table, whatever becomes of it. */
export async function serveRoute(
  dependencies: EndpointDependencies,
  route: Route,
  exchange: { readonly request: Request; readonly response: Response },
): Promise<void> {
  await answer(dependencies, route.path, exchange, async (log) => {
    const { request, response } = exchange;
    getResponseFormat(request);
    const hasBody = route.method === 'POST' || route.method === 'PUT';
    return await handleRequest(dependencies.context, route, {
      head: toRequestHead(dependencies.context, request, log),
      readBody: () => (hasBody ? dependencies.readBody(request, response) : Promise.resolve({})),
    });
  });
}

/** Answers a request that no route takes, with the error that tells why. */
export async function serveError(
  dependencies: EndpointDependencies,
  error: unknown,
  exchange: { readonly request: Request; readonly response: Response },
): Promise<void> {
  await answer(dependencies, 'none', exchange, () => {
    throw error;
  });
}

type Produce = (log: Logger) => Promise<ApiResponse> | ApiResponse;

async function answer(
  { context, metrics }: EndpointDependencies,
  pattern: string,
  { request, response }: { readonly request: Request; readonly response: Response },
  produce: Produce,
): Promise<void> {
  const startedAt = performance.now();
  const requestId = newRequestId();
  const log = context.log.child({ requestId });
  response.setHeader(REQUEST_ID_HEADER, requestId);
  let result: ApiResponse;
  try {
    result = await produce(log);
  } catch (error) {
    result = toErrorResponse(error, request.path, log);
  }
  send(request, response, result);
  const seconds = (performance.now() - startedAt) / 1000;
  const { method } = request;
  metrics.observe({ method, pattern, status: result.status, seconds });
  log.info({ method, pattern, status: result.status, ms: Math.round(seconds * 1000) }, 'request');
}

function toErrorResponse(error: unknown, path: string, log: Logger): ApiResponse {
  const fault = toFault(error, path);
  if (fault.status === 500) log.error({ err: error }, 'request failed');
  else if (fault.status === 503) log.warn({ err: error }, 'request could not be served');
  return { status: fault.status, headers: fault.headers, body: representFault(fault, path) };
}

function send(request: Request, response: Response, result: ApiResponse): void {
  const { status, headers = {}, body } = result;
  response.statusCode = status;
  response.setHeader('Vary', 'Accept');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) {
    response.end();
    return;
  }
  const format = findResponseFormat(request) ?? 'json';
  const bytes = Buffer.from(format === 'xml' ? body.toXml() : body.toJson());
  response.setHeader('Content-Type', MEDIA_TYPES[format]);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

function toRequestHead({ settings }: Context, request: Request, log: Logger): RequestHead {
  const { publicUrl, trustedProxies } = settings.http;
  const { searchParams } = new URL(request.url, 'http://localhost');
  const params = request.params as Readonly<Record<string, string>>;
  const texts = [...Object.values(params), ...searchParams.values()];
  // PostgreSQL's text cannot hold it.
  if (texts.some((text) => text.includes('\0'))) throw invalidRequest('the URI holds a NUL');
  return {
    params,
    query: searchParams,
    headers: request.headers,
    path: request.path,
    source: sourceAddress(request, trustedProxies),
    baseUrl: publicUrl?.replace(/\/+$/, '') ?? `http://${request.headers.host ?? 'localhost'}`,
    log,
  };
}
