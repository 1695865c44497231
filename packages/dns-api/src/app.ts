import express, { type Express, type Request, type Response } from 'express';
import { endAnswer, hasUnreadBody, HTML_SECURITY_HEADERS } from '@zonewright/http-api';
import type { Context } from './context.js';
import { sendError } from './http/error-handler.js';
import { serveOperation } from './http/serve-operation.js';
import { NOT_FOUND_PAGE } from './http/not-found-page.js';
import type { Operation } from './http/operation.js';
import { RequestRefused } from './http/request-refused.js';
import { commonHeaders, type RequestTracer, traceRequest } from './http/trace-request.js';

/** Express, wired from the table of operations. */
export function createApp(
  context: Context,
  operations: readonly Operation[],
  tracer: RequestTracer,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // Every object has an ETag of its own (decisions 3); one of the bytes would contradict it.
  app.disable('etag');
  // RFC 3986 s6.2.2.1: only scheme and host are the same in any letter case.
  app.enable('case sensitive routing');
  app.use(traceRequest(tracer, commonHeaders(context)));
  for (const [path, ofPath] of groupByPath(operations).sort(byPrecedence)) {
    const route = app.route(path);
    for (const operation of ofPath) {
      route[operation.method]((request, response) =>
        serveOperation(context, operation, request, response),
      );
    }
    const allowed = ofPath.map(({ method }) => method.toUpperCase());
    route.all((request) => {
      throw methodNotAllowed(request.method, allowed);
    });
  }
  app.use(sendNotFoundPage);
  app.use(sendError(context));
  return app;
}

function groupByPath(operations: readonly Operation[]): [string, Operation[]][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.path);
    if (group === undefined) groups.set(operation.path, [operation]);
    else group.push(operation);
  }
  return [...groups];
}

/** A path without parameters is matched before one with: `import` is no id. */
function byPrecedence([one]: [string, unknown], [other]: [string, unknown]): number {
  return Number(one.includes(':')) - Number(other.includes(':'));
}

function methodNotAllowed(method: string, allowed: readonly string[]): RequestRefused {
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])].join(', ');
  return new RequestRefused(
    { status: 405, type: 'invalid_method', allow },
    `${method} is not possible here; use ${allow}.`,
  );
}

function sendNotFoundPage(request: Request, response: Response): void {
  response.status(404).set(HTML_SECURITY_HEADERS).type('html');
  if (hasUnreadBody(request)) response.set('Connection', 'close');
  response.set('Content-Length', String(Buffer.byteLength(NOT_FOUND_PAGE)));
  endAnswer(request, response, NOT_FOUND_PAGE);
}
