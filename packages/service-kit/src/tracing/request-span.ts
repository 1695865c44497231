import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
} from '@opentelemetry/semantic-conventions';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { failSpan } from './fail-span.js';

/** What only the service knows of a request. */
export interface RequestDescription {
  readonly method: string | undefined;
  /** The pattern and never the path: paths hold token ids. Undefined: no route took it. */
  readonly route: string | undefined;
  readonly requestId: string;
}

/** Semantic conventions for HTTP: what a caller can make up does not become a name. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
const OTHER_METHOD = '_OTHER';

/**
 * Starts the span of a request; it ends with the answer. It has no `url.path`, which the conventions ask for, and nothing
 * else that came with the request: token ids stand in paths, secrets in headers and bodies.
 */
export function startRequestSpan(
  tracer: Tracer,
  request: IncomingMessage,
  response: ServerResponse,
): Context {
  const parent = callerOf(request);
  const method = knownMethod(request.method);
  const attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_URL_SCHEME]: (request.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
  };
  const span = tracer.startSpan(nameOf(method), { kind: SpanKind.SERVER, attributes }, parent);
  response.on('close', () => {
    // Other listeners of this event describe the request.
    queueMicrotask(() => {
      endRequestSpan(span, response);
    });
  });
  return trace.setSpan(parent, span);
}

export function describeRequest(
  span: Span,
  { method, route, requestId }: RequestDescription,
): void {
  span.setAttribute('zonewright.request_id', requestId);
  if (route === undefined) return;
  span.setAttribute(ATTR_HTTP_ROUTE, route);
  span.updateName(`${nameOf(knownMethod(method))} ${route}`);
}

/** W3C Trace Context: a `traceparent` that is malformed, or there more than once, is as good as none. */
function callerOf({ headers }: IncomingMessage): Context {
  const { traceparent } = headers;
  const caller = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (caller === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
}

function endRequestSpan(span: Span, { statusCode, writableFinished }: ServerResponse): void {
  if (writableFinished) {
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, statusCode);
    if (statusCode >= 500) failSpan(span, String(statusCode));
  } else {
    // The client went away, or an answer broke off: which of them, nobody can tell from here.
    span.setAttribute(ATTR_ERROR_TYPE, 'aborted');
  }
  span.end();
}

function knownMethod(method: string | undefined): string {
  return method !== undefined && METHODS.has(method) ? method : OTHER_METHOD;
}

function nameOf(method: string): string {
  return method === OTHER_METHOD ? 'HTTP' : method;
}
