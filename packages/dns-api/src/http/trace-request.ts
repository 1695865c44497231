import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createRequestLog,
  newRequestId,
  normalizeRequestTarget,
  REQUEST_ID_HEADER,
  securityHeaders,
  sourceAddress,
} from '@zonewright/service-kit';
import type { Context } from '../context.js';
import { DRY_RUN_HEADER } from './read-query.js';

/** What the steps of a request's way leave for its log line. */
export interface RequestTrace {
  readonly requestId: string;
  /** The pattern and not the path: ids would make each a line and a metric of its own. */
  route: string;
  tenantId: string | undefined;
  userId?: string | undefined;
  /** The operation's name if it changes something: then there is an audit line. */
  change?: string | undefined;
}

/** The route of what no route takes. */
const NO_ROUTE = 'unknown';

const traces = new WeakMap<Response, RequestTrace>();

/** The trace of a request that went through traceRequest. */
export function traceOf(response: Response): RequestTrace {
  const trace = traces.get(response);
  if (trace === undefined) throw new Error('traceRequest runs before everything else');
  return trace;
}

/** Counts a request and writes its one log line when it is answered. `startedAt` is by performance.now(). */
export type RequestTracer = (
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
  trace: RequestTrace,
  startedAt: number,
) => void;

export function createTracer(context: Context): RequestTracer {
  const { log, metrics, tracing } = context;
  const logRequest = createRequestLog(log, tracing?.logContext);
  return ({ request, response }, trace, startedAt) => {
    const report = () => {
      const milliseconds = performance.now() - startedAt;
      const { method = '' } = request;
      const status = response.writableFinished ? response.statusCode : 499;
      const { route, requestId, tenantId } = trace;
      metrics.requestSeconds.observe({ method, route, status }, milliseconds / 1_000);
      logRequest({
        method,
        route,
        status,
        milliseconds: Math.round(milliseconds * 10) / 10,
        requestId,
        tenantId,
      });
      if (trace.change !== undefined) logAudit(context, trace, { request, response });
      tracing?.describeRequest({
        method,
        requestId,
        route: route === NO_ROUTE ? undefined : route,
      });
    };
    response.on('close', tracing?.bind(report) ?? report);
  };
}

/** Gives each request its id and its normal path. */
export function traceRequest(tracer: RequestTracer, headers: ReadonlyMap<string, string>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const trace: RequestTrace = {
      requestId: newRequestId(),
      route: NO_ROUTE,
      tenantId: undefined,
      userId: undefined,
      change: undefined,
    };
    traces.set(response, trace);
    response.setHeader(REQUEST_ID_HEADER, trace.requestId);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('Vary', varyOf(response));
    request.url = normalizeRequestTarget(request.url);
    tracer({ request, response }, trace, startedAt);
    next();
  };
}

/** Accept decides between an answer and a 406 (decisions 1.3); CORS may have said before that Origin decides too. */
export function varyOf(response: ServerResponse): string {
  return response.hasHeader('Vary') ? 'Origin, Accept' : 'Accept';
}

/** docs/operations/audit-log.md: who did what, from where, and what became of it. The journal has the content. */
function logAudit(
  { log, settings }: Context,
  trace: RequestTrace,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): void {
  const { change: event, requestId, userId, tenantId } = trace;
  const location = response.getHeader('Location');
  log.info(
    {
      event,
      outcome: outcomeOf(response),
      status: response.statusCode,
      requestId,
      source: sourceAddress(request, settings.http.trustedProxies),
      userId,
      tenantId,
      path: request.url?.split('?')[0],
      ...(response.hasHeader(DRY_RUN_HEADER) ? { dryRun: true } : {}),
      created: typeof location === 'string' ? location.replace(/^.*\/v1\//, '/v1/') : undefined,
    },
    'audit',
  );
}

/** Who went away before the answer does not know either. */
function outcomeOf(response: ServerResponse): 'success' | 'failure' | 'unknown' {
  if (!response.writableFinished) return 'unknown';
  return response.statusCode < 400 ? 'success' : 'failure';
}

/** The headers of every answer by name. */
export function commonHeaders({ settings }: Context): ReadonlyMap<string, string> {
  const flat = securityHeaders(settings.http.tls.certificateFile !== undefined);
  return new Map(
    flat.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : [],
    ),
  );
}
