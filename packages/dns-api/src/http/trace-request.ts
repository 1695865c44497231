import type { NextFunction, Request, Response } from 'express';
import {
  newRequestId,
  normalizeRequestTarget,
  REQUEST_ID_HEADER,
  securityHeaders,
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

/** Gives each request its id and its normal path, and writes one log line when it is answered. */
export function traceRequest(context: Context) {
  const isTls = context.settings.http.tls.certificateFile !== undefined;
  const headers = new Map(pairsOf(securityHeaders(isTls)));
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = process.hrtime.bigint();
    const trace: RequestTrace = {
      requestId: newRequestId(),
      route: 'unknown',
      tenantId: undefined,
    };
    traces.set(response, trace);
    response.setHeader(REQUEST_ID_HEADER, trace.requestId);
    response.setHeaders(headers);
    request.url = normalizeRequestTarget(request.url);
    response.on('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const { method } = request;
      const status = response.writableFinished ? response.statusCode : 499;
      context.metrics.requestSeconds.observe({ method, route: trace.route, status }, seconds);
      context.log.info(
        {
          method,
          route: trace.route,
          status,
          milliseconds: Math.round(seconds * 1e4) / 10,
          requestId: trace.requestId,
          tenantId: trace.tenantId,
        },
        'request',
      );
    });
    next();
  };
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []));
}
