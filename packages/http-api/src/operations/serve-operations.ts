import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newRequestId, Overload } from '@zonewright/service-kit';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express';
import { Refusal } from '../messages/refusal.js';
import type { Exchange, Operation } from './operation.js';
import { createReporter, type ReportTargets } from './report-request.js';
import { type Reply, securityHeaders, sendReply } from './send-reply.js';

/** Parts of an API that differ between services. The rest is common: find the operation, perform it, answer, report. */
export interface Api<O extends Operation> extends ReportTargets {
  readonly operations: readonly O[];
  readonly isTls: boolean;
  /** Media types of responses in the accepted format. */
  readonly types: readonly string[];
  /** Whether an operation is matched before Express. No other operation has the same path and method. */
  readonly isAhead?: (operation: O) => boolean;
  /** Returns the response if no waiting is needed, and otherwise undefined. */
  readonly answerAtOnce?: (operation: O, exchange: Exchange) => Reply | undefined;
  /** Identifies the caller, applies limits and calls the handler, in the order that the API documents. */
  readonly perform: (operation: O, exchange: Exchange) => Promise<Reply>;
  /** Renders an error in the format of the API. */
  readonly renderError: (error: unknown, exchange: Exchange) => Reply;
  /** Called when a request for an operation has been answered, or its client has disconnected. */
  readonly onAnswered?: (operation: O, exchange: Exchange, reply: Reply | undefined) => void;
}

/**
 * Returns the listener for node:http. Express finds the operation of a request. Operations with `isAhead` are matched
 * before it: services of the platform call them for nearly each request, and Express triples the cost of a short
 * request.
 */
export function serveOperations<O extends Operation>(api: Api<O>): RequestListener {
  const common = {
    api,
    report: createReporter(api),
    form: { headers: securityHeaders(api.isTls), types: api.types },
  };
  const app = createApp(api);
  const ahead = createMatcher(api.operations.filter((each) => api.isAhead?.(each) === true));
  return (request, response) => {
    const run = new Run(common, request, response);
    const found = ahead(request.method, run.exchange.path);
    if (found !== undefined) {
      run.perform(found.operation, found.params).catch((error: unknown) => {
        run.fail(error);
      });
      return;
    }
    request.url = run.exchange.target;
    // Express keeps existing `locals`.
    Object.assign(response, { locals: { run } });
    app(request, response);
  };
}

/** Objects that all requests of an API share. */
interface Common<O extends Operation> {
  readonly api: Api<O>;
  readonly report: ReturnType<typeof createReporter>;
  readonly form: Parameters<typeof sendReply>[2];
}

/** Performs the operation of one request, sends the reply and reports the request. */
class Run<O extends Operation> {
  readonly exchange: Exchange;
  readonly #common: Common<O>;
  #operation: O | undefined;
  #reply: Reply | undefined;

  constructor(common: Common<O>, request: IncomingMessage, response: ServerResponse) {
    const startedAt = performance.now();
    const target = normalizeRequestTarget(request.url ?? '/');
    this.#common = common;
    this.exchange = {
      request,
      response,
      requestId: newRequestId(),
      target,
      path: pathOf(target),
      params: {},
      logged: {},
      audited: {},
      answeredAt: undefined,
    };
    const { api, report } = common;
    const onClose = () => {
      report(this.exchange, this.#operation, startedAt);
      if (this.#operation !== undefined) {
        api.onAnswered?.(this.#operation, this.exchange, this.#reply);
      }
    };
    response.on('close', api.tracing?.bind(onClose) ?? onClose);
  }

  async perform(operation: O, params: Exchange['params']): Promise<void> {
    this.#operation = operation;
    this.exchange.params = params;
    const { api } = this.#common;
    const atOnce = api.answerAtOnce?.(operation, this.exchange);
    await this.#send(atOnce ?? (await api.perform(operation, this.exchange)));
  }

  fail(error: unknown): void {
    const { response } = this.exchange;
    // Only one kind of error comes from Express without an operation: a malformed path parameter.
    const cause =
      error instanceof URIError && this.#operation === undefined
        ? new Refusal('path-not-encoded')
        : error;
    const reply = renderFailure(this.#common.api, cause, {
      exchange: this.exchange,
      operation: this.#operation,
    });
    // The response failed while it was being sent. Only closing the connection can inform the client.
    if (response.headersSent) response.destroy();
    else void this.#send(reply);
  }

  #send(reply: Reply): void | Promise<void> {
    this.#reply = reply;
    return sendReply(this.exchange, reply, this.#common.form);
  }
}

function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}

/** Renders a failure. No other function logs its cause. */
function renderFailure<O extends Operation>(
  { log, renderError }: Api<O>,
  error: unknown,
  { exchange, operation }: { readonly exchange: Exchange; readonly operation: O | undefined },
): Reply {
  const { requestId } = exchange;
  const reply = renderError(error, exchange);
  const about = { err: error, requestId, route: operation?.path };
  if (reply.status === 500) log.error(about, 'request failed');
  // The gate logs its own refusals.
  else if (reply.status === 503 && !(error instanceof Overload)) log.warn(about, 'cannot serve');
  return reply;
}

/** Creates an Express application with a route for each path. Errors have the format of the API. */
function createApp<O extends Operation>(api: Api<O>): Express {
  const app = express();
  app.disable('x-powered-by');
  // Objects have their own ETag (D-ZONE), and a hash of the bytes would contradict it.
  app.disable('etag');
  // Each API reads its queries itself and rejects unknown parameters.
  app.disable('query parser');
  // Paths are case-sensitive (RFC 3986 s6.2.2.1).
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const [path, operations] of groupByPath(api.operations)) {
    const route = app.route(toExpressPath(path));
    for (const operation of operations) {
      const method = operation.method.toLowerCase() as Lowercase<Operation['method']>;
      route[method](async ({ params }: Request, response: Response<unknown, Locals<O>>) => {
        await response.locals.run.perform(operation, { ...params } as Exchange['params']);
      });
    }
    route.all((request) => {
      throw new Refusal('method-not-allowed', {
        offered: methodsOf(operations),
        given: request.method,
      });
    });
  }
  app.use(() => {
    throw new Refusal('no-such-resource');
  });
  app.use(((error: unknown, _request, response: Response<unknown, Locals<O>>, _next) => {
    response.locals.run.fail(error);
  }) satisfies ErrorRequestHandler<unknown, unknown, unknown, unknown, Locals<O>>);
  return app;
}

interface Locals<O extends Operation> extends Record<string, unknown> {
  readonly run: Run<O>;
}

/** Groups operations by path, with literal segments before parameters: `/domains/import` is not a domain. */
function groupByPath<O extends Operation>(operations: readonly O[]): [string, O[]][] {
  const byPath = new Map<string, O[]>();
  for (const operation of operations) {
    byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  }
  const rank = (path: string) => path.replaceAll(/\{\w+\}/g, '\uffff');
  return [...byPath].toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

/** Converts `{name}` to `:name` and escapes characters with a meaning in Express. */
function toExpressPath(path: string): string {
  return path.replaceAll(/[()[\]?+!*:\\]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Handlers of GET also answer HEAD (RFC 9110 s9.3.2). */
function methodsOf(operations: readonly Operation[]): string[] {
  const methods = new Set<string>(operations.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods];
}

/** Finds one of a few operations by method and path. Returns undefined for a path with invalid percent-encoding. */
function createMatcher<O extends Operation>(operations: readonly O[]) {
  const patterns = operations.map((operation) => ({
    operation,
    expression: new RegExp(
      `^${operation.path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/%]+)')}$`,
    ),
  }));
  return (method: string | undefined, path: string) => {
    for (const { operation, expression } of patterns) {
      if (operation.method !== method) continue;
      const match = expression.exec(path);
      if (match !== null) return { operation, params: { ...match.groups } };
    }
    return undefined;
  };
}

/**
 * Normalizes the path of a request target. Repeated slashes are merged and a trailing slash is dropped, since old
 * clients send `/v1//domains` and `/auth/v1.0/` (D-REQ-1). The query is kept. Scheme and host of an absolute target
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
