import type { RequestListener } from 'node:http';
import { newRequestId, Overload } from '@zonewright/service-kit';
import express from 'express';
import { OperationFinder } from './find-operation.js';
import type { Exchange, Operation } from './operation.js';
import { createReporter, type ReportTargets } from './report-request.js';
import { type Reply, securityHeaders, sendReply } from './send-reply.js';

/** What an API adds to the way that all requests go: find the operation, perform it, answer, tell what became of it. */
export interface Api<O extends Operation> extends ReportTargets {
  readonly operations: readonly O[];
  readonly isTls: boolean;
  /** The media types of answers that are written in the format that is accepted. */
  readonly types: readonly string[];
  /** The answer that can be given without waiting for anything; undefined in every other case. */
  readonly answerAtOnce?: (operation: O, exchange: Exchange) => Reply | undefined;
  /** Who asks, how often, what: in the order that the API promises. */
  readonly perform: (operation: O, exchange: Exchange) => Promise<Reply>;
  /** An error in the API's own form. */
  readonly renderError: (error: unknown, exchange: Exchange) => Reply;
  /** Told when a request for an operation has been answered, or its client is gone. */
  readonly onAnswered?: (operation: O, exchange: Exchange, reply: Reply | undefined) => void;
}

const NO_PARAMS: Exchange['params'] = {};

/** What node:http calls for each request. */
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
      // An answer broke off while it was being sent: to end the connection is the only honest sign.
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
        // What is mounted beside the operations, if anything is.
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

/** The one place where the cause of a failure is logged. */
function renderFailure<O extends Operation>(
  { log, renderError }: Api<O>,
  error: unknown,
  { exchange, operation }: { readonly exchange: Exchange; readonly operation: O | undefined },
): Reply {
  const { requestId } = exchange;
  const reply = renderError(error, exchange);
  const about = { err: error, requestId, route: operation?.path };
  if (reply.status === 500) log.error(about, 'request failed');
  // The gate has a line for all that it refuses.
  else if (reply.status === 503 && !(error instanceof Overload)) log.warn(about, 'cannot serve');
  return reply;
}

/** Told when nothing that is mounted has answered a request, or that it has failed. */
type Next = (error?: unknown) => void;

/**
 * The Express application of an API: what goes beside its operations, such as pages, is mounted here. Requests for operations go past
 * it: it gives request and response other prototypes, which doubles what all of node:http costs for them.
 */
function createApp(): (...request: [...Parameters<RequestListener>, Next]) => void {
  const app = express();
  app.disable('x-powered-by');
  // Objects have an ETag of their own (decisions 3); one of the octets would contradict it.
  app.disable('etag');
  // Each API reads its queries itself, and refuses what it does not know.
  app.disable('query parser');
  return app;
}

/**
 * The path of a request target as routes know it: repeated slashes collapse and a trailing slash is
 * dropped, since old clients send `/v1//domains` and `/auth/v1.0/` (decisions 1.1). The query is kept. Of a
 * target in absolute form (RFC 9112 s3.2.2) scheme and host are dropped.
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

/** Whether there is nothing to do, as for nearly all requests: found out without a regular expression. */
function isNormal(target: string): boolean {
  return (
    target.startsWith('/') &&
    !target.includes('//') &&
    !target.includes('?') &&
    (target.length === 1 || !target.endsWith('/'))
  );
}
