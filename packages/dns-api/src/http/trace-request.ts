import type { NextFunction, Request, Response } from 'express';
import {
  newRequestId,
  normalizeRequestTarget,
  REQUEST_ID_HEADER,
  securityHeaders,
  sourceAddress,
} from '@zonewright/service-kit';
import type { Context } from '../context.js';

/** What the steps of a request's way leave for its log line. */
export interface RequestTrace {
  readonly requestId: string;
  /** The pattern and not the path: ids would make each a line and a metric of its own. */
  route: string;
  tenantId: string | undefined;
  userId: string | undefined;
  /** The operation's name if it changes something: then there is an audit line. */
  change: string | undefined;
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
      userId: undefined,
      change: undefined,
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
      if (trace.change !== undefined) logAudit(context, trace, request, status);
    });
    next();
  };
}

/** docs/operations.md, Audit log: who did what, from where, and what became of it. The journal has the content. */
function logAudit(
  { log, settings }: Context,
  trace: RequestTrace,
  request: Request,
  status: number,
) {
  const { change: event, requestId, userId, tenantId } = trace;
  const location = request.res?.getHeader('Location');
  log.info(
    {
      event,
      outcome: outcomeOf(status),
      status,
      requestId,
      source: sourceAddress(request, settings.http.trustedProxies),
      userId,
      tenantId,
      path: request.path,
      created: typeof location === 'string' ? location.replace(/^.*\/v1\//, '/v1/') : undefined,
    },
    'audit',
  );
}

/** Who went away before the answer does not know either. */
function outcomeOf(status: number): 'success' | 'failure' | 'unknown' {
  if (status === 499) return 'unknown';
  return status < 400 ? 'success' : 'failure';
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []));
}
