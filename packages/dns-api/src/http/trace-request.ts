import type { NextFunction, Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createRequestLog,
  newRequestId,
  normalizeRequestTarget,
  REQUEST_ID_HEADER,
} from '@zonewright/service-kit';
import type { Context } from '../context.js';

/** What the steps of a request's way leave for its log line. */
export interface RequestTrace {
  readonly requestId: string;
  /** The pattern and not the path: ids would make each a line and a metric of its own. */
  route: string;
  tenantId: string | undefined;
}

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

export function createTracer({ log, metrics }: Context): RequestTracer {
  const logRequest = createRequestLog(log);
  return ({ request, response }, trace, startedAt) => {
    response.on('close', () => {
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
    });
  };
}

/** Gives each request its id and its normal path. */
export function traceRequest(tracer: RequestTracer) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    const trace: RequestTrace = {
      requestId: newRequestId(),
      route: 'unknown',
      tenantId: undefined,
    };
    traces.set(response, trace);
    response.setHeader(REQUEST_ID_HEADER, trace.requestId);
    request.url = normalizeRequestTarget(request.url);
    tracer({ request, response }, trace, startedAt);
    next();
  };
}
