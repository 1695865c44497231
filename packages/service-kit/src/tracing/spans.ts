import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import {
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_QUERY_TEXT,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_FULL,
  ATTR_URL_SCHEME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import { readPostgresUrl } from '../settings/postgres-url.js';

/** Request to another service. */
export interface OutgoingCall {
  readonly method: string;
  /** URL with a constant path without ids, since the path becomes part of a name. */
  readonly url: URL;
}

type Headers = Readonly<Record<string, string>>;

/** Makes a call in its own span. The headers announce the span to the other service. */
export async function traceCall<T extends { readonly status: number }>(
  { tracer, context }: { readonly tracer: Tracer; readonly context: Context },
  call: OutgoingCall,
  send: (headers: Headers) => Promise<T>,
): Promise<T> {
  // The headers also inform the other service that a request is not traced.
  if (trace.getSpan(context)?.isRecording() !== true) return await send(headersFor(context));
  const span = tracer.startSpan(callName(call), optionsOf(call), context);
  try {
    const answer = await send(headersFor(trace.setSpan(context, span)));
    span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, answer.status);
    // Clients count 4xx as failures, too (semantic conventions for HTTP).
    if (answer.status >= 400) failSpan(span, String(answer.status));
    return answer;
  } catch (error) {
    failSpan(span, errorTypeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Returns the headers of W3C Trace Context s3.2, version 00. */
function headersFor(context: Context): Headers {
  const ids = trace.getSpanContext(context);
  if (ids === undefined) return {};
  const flags = ids.traceFlags.toString(16).padStart(2, '0');
  return { traceparent: `00-${ids.traceId}-${ids.spanId}-${flags}` };
}

function callName({ method, url }: OutgoingCall): string {
  return `${method} ${url.pathname}`;
}

function optionsOf({ method, url }: OutgoingCall) {
  const { protocol, host, hostname, port, pathname } = url;
  return {
    kind: SpanKind.CLIENT,
    attributes: {
      [ATTR_HTTP_REQUEST_METHOD]: method,
      // The URL is built from parts, since the base URL of a service may contain credentials.
      [ATTR_URL_FULL]: `${protocol}//${host}${pathname}`,
      [ATTR_SERVER_ADDRESS]: hostname,
      [ATTR_SERVER_PORT]: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    },
  };
}

/** Facts about a request that only the service knows. */
export interface RequestDescription {
  readonly method: string | undefined;
  /** Pattern of the route. Paths may contain token ids. Undefined if no route matched. */
  readonly route: string | undefined;
  readonly requestId: string;
}

/** Methods that may be part of a name. Callers can invent others (semantic conventions for HTTP). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
const OTHER_METHOD = '_OTHER';

/**
 * Starts the span of a request, which ends with the response. It omits `url.path`, which the conventions require, and
 * all other data of the request: paths contain token ids, headers and bodies contain secrets.
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
    // Other listeners of this event add facts about the request.
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

/** Returns the context of the caller. A `traceparent` that is malformed or repeated is ignored (W3C Trace Context). */
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
    // Either the client disconnected or the response failed; this code cannot distinguish them.
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

/**
 * Called with the text of each statement, with placeholders and without values.
 *
 * @returns a function to call with the error, if any, when the statement has ended. Undefined if the statement is not
 * observed
 */
export type StatementObserver = (text: string) => ((error?: unknown) => void) | undefined;

/** SQLSTATE (PostgreSQL, appendix A). A lost connection has an error code of the system instead. */
const SQLSTATE_FORM = /^[0-9A-Z]{5}$/;

export function observeStatements(
  tracer: Tracer,
  databaseUrl: string,
  getContext: () => Context,
): StatementObserver {
  const common = describeDatabase(databaseUrl);
  return (text) => {
    const context = getContext();
    if (trace.getSpan(context)?.isRecording() !== true) return undefined;
    const { operation, summary } = summarize(text);
    const attributes = {
      ...common,
      [ATTR_DB_OPERATION_NAME]: operation,
      [ATTR_DB_QUERY_SUMMARY]: summary,
      [ATTR_DB_QUERY_TEXT]: text,
    };
    const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, context);
    return (error) => {
      if (error !== undefined && error !== null) {
        const type = errorTypeOf(error);
        if (SQLSTATE_FORM.test(type)) span.setAttribute(ATTR_DB_RESPONSE_STATUS_CODE, type);
        failSpan(span, type);
      }
      span.end();
    };
  };
}

/** Describes the first of several servers: only the driver knows which one executed a statement. */
function describeDatabase(databaseUrl: string) {
  const { hostname, port, pathname } = new URL(readPostgresUrl(databaseUrl).urls[0] ?? '');
  return {
    [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
    [ATTR_DB_NAMESPACE]: decodeURIComponent(pathname.slice(1)),
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: port === '' ? 5432 : Number(port),
  };
}

/** Writing part of a statement. The table name must include its schema; otherwise `for update of` would match. */
const WRITES = /\b(insert|update|delete)\s+(?:(?:into|from)\s+)?("?\w+"?\."?\w+"?)/i;
const READS = /\b(?:from|into|update)\s+((?:"?\w+"?\.)?"?\w+"?)/i;

/**
 * Returns a summary such as `SELECT dns.domains`: the first word and the first table of a statement. For a WITH
 * statement, the first part that writes is used.
 */
function summarize(text: string): { readonly operation: string; readonly summary: string } {
  const first = (/^\s*(\w+)/.exec(text)?.[1] ?? 'SQL').toUpperCase();
  const [, write, written] = (first === 'WITH' && WRITES.exec(text)) || [];
  const operation = write?.toUpperCase() ?? first;
  const table = written ?? READS.exec(text)?.[1];
  const summary = table === undefined ? operation : `${operation} ${table.replaceAll('"', '')}`;
  return { operation, summary };
}

/** Marks a span as failed. Only the type of the error is stored, since messages repeat input of callers. */
function failSpan(span: Span, errorType: string): void {
  span.setAttribute(ATTR_ERROR_TYPE, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the code of a system or SQL error, or else the name of its class. */
function errorTypeOf(error: unknown): string {
  const { code, name = 'Error' } = error as { readonly code?: unknown; readonly name?: string };
  return typeof code === 'string' ? code : name;
}
