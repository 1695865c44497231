import type { RequestListener } from 'node:http';
import { newRequestId, Overload } from '@zonewright/service-kit';
import express from 'express';
import { OperationFinder } from './find-operation.js';
import type { Exchange, Operation } from './operation.js';
import { createReporter, type ReportTargets } from './report-request.js';
import { type Reply, securityHeaders, sendReply } from './send-reply.js';

/** Parts of an API in the common handling of requests: find the operation, perform it, answer, report. */
export interface Api<O extends Operation> extends ReportTargets {
  readonly operations: readonly O[];
  readonly isTls: boolean;
  /** Media types of responses in the accepted format. */
  readonly types: readonly string[];
  /** Returns the response if that needs no waiting; undefined otherwise. */
  readonly answerAtOnce?: (operation: O, exchange: Exchange) => Reply | undefined;
  /** Identifies the caller, applies limits and calls the handler, in the order that the API documents. */
  readonly perform: (operation: O, exchange: Exchange) => Promise<Reply>;
  /** Renders an error in the API's own form. */
  readonly renderError: (error: unknown, exchange: Exchange) => Reply;
  /** Called when a request for an operation has been answered, or its client has disconnected. */
  readonly onAnswered?: (operation: O, exchange: Exchange, reply: Reply | undefined) => void;
}

const NO_PARAMS: Exchange['params'] = {};

/** Returns the listener for node:http. */
export function serveOperations<O extends Operation>(api: Api<O>): RequestListener {
  const { tracing, onAnswered } = api;
  const finder = new OperationFinder(api.operations);
  const app = createApp();
  const report = createReporter(api);
  const form = { headers: securityHeaders(api.isTls), types: api.types };
  return (request, response) => {
    const startedAt = performance.now();
    const target = normalizeRequestTarget(request.url ?? '/');
    const exchange = {
      request,
      response,
      requestId: newRequestId(),
      target,
      path: pathOf(target),
      params: NO_PARAMS,
      logged: {},
      audited: {},
      answeredAt: undefined,
    };
    let operation: O | undefined;
    let answer: Reply | undefined;
    const onClose = () => {
      report(exchange, operation, startedAt);
      if (operation !== undefined) onAnswered?.(operation, exchange, answer);
    };
    response.on('close', tracing?.bind(onClose) ?? onClose);
    const send = (reply: Reply) => {
      answer = reply;
      return sendReply(exchange, reply, form);
    };
    const fail = (error: unknown) => {
      const reply = renderFailure(api, error, { exchange, operation });
      // The response failed while it was being sent: only closing the connection can show it.
      if (response.headersSent) response.destroy();
      else void send(reply);
    };
    try {
      const found = finder.find(request.method ?? '', exchange.path);
      operation = found.operation;
      exchange.params = found.params;
      const atOnce = api.answerAtOnce?.(found.operation, exchange);
      if (atOnce !== undefined) void send(atOnce);
      else api.perform(found.operation, exchange).then(send).catch(fail);
    } catch (error) {
      if (operation !== undefined) fail(error);
      else {
        // Handlers beside the operations.
        app(request, response, (failure) => {
          fail(failure ?? error);
        });
      }
    }
  };
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** The only function that logs the cause of a failure. */
function renderFailure<O extends Operation>(
  { log, renderError }: Api<O>,
  error: unknown,
  { exchange, operation }: { readonly exchange: Exchange; readonly operation: O | undefined },
): Reply {
  const { requestId } = exchange;
  const reply = renderError(error, exchange);
  const about = { err: error, requestId, route: operation?.path };
  if (reply.status === 500) log.error(about, 'request failed');
  // The gate logs its refusals.
  else if (reply.status === 503 && !(error instanceof Overload)) log.warn(about, 'cannot serve');
  return reply;
}

/** Called if no mounted handler has answered a request, or with its error. */
type Next = (error?: unknown) => void;

/**
 * Express application of an API, for handlers beside its operations, such as pages. Requests for operations bypass it:
 * it replaces the prototypes of request and response, which doubles the cost of node:http.
 */
function createApp(): (...request: [...Parameters<RequestListener>, Next]) => void {
  const app = express();
  app.disable('x-powered-by');
  // Objects have an ETag of their own (D-ZONE), which one of the bytes would contradict.
  app.disable('etag');
  // Each API reads its queries itself, and refuses unknown parameters.
  app.disable('query parser');
  return app;
}

/**
 * Normalizes the path of a request target. Repeated slashes collapse and a trailing slash is dropped, since old clients
 * send `/v1//domains` and `/auth/v1.0/` (D-REQ-1). The query stays. Scheme and host of a target in absolute form
 * (RFC 9112 s3.2.2) are dropped.
 */
export function normalizeRequestTarget(target: string): string {
  if (isNormal(target)) return target;
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const question = local.indexOf('?');
  const path = question === -1 ? local : local.slice(0, question);
  const query = question === -1 ? '' : local.slice(question);
  const collapsed = path.replaceAll(/\/{2,}/g, '/');
  const trimmed = collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
  return (trimmed === '' ? '/' : trimmed) + query;
}

/** Fast check without a regular expression: nearly all paths are normal. */
function isNormal(target: string): boolean {
  return (
    target.startsWith('/') &&
    !target.includes('//') &&
    !target.includes('?') &&
    (target.length === 1 || !target.endsWith('/'))
  );
}
