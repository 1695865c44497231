import type { RequestListener } from 'node:http';
import { newRequestId, Overload } from '@zonewright/service-kit';
import { securityHeaders } from '../answer/security-headers.js';
import type { Reply } from '../answer/reply.js';
import { sendReply } from '../answer/send-reply.js';
import { normalizeRequestTarget } from '../request/request-path.js';
import { createApp } from './create-app.js';
import type { Exchange } from '../operation/exchange.js';
import { OperationFinder } from './find-operation.js';
import type { Operation } from '../operation/operation.js';
import { createReporter, type ReportTargets } from './report-request.js';

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
