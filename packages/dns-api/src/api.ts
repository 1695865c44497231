import {
  type Api,
  createAuditLog,
  type Exchange,
  HTML_SECURITY_HEADERS,
  MEDIA_TYPES,
  Refusal,
  type Reply,
} from '@zonewright/http-api';
import type { Context } from './context/context.js';
import type { Operation } from './http/operation.js';
import { perform } from './http/perform.js';
import { DRY_RUN_HEADER } from './http/read-query.js';
import { OPERATIONS } from './operations.js';
import { toErrorAnswer } from './settings/errors.js';
import { isOfV2, toV2ErrorReply } from './v2/http/error-reply.js';

/** The error formats by path. An unsupported method has no operation, but also gets the format of its path. */
const OTHER_WORDS = new Map(
  OPERATIONS.flatMap(({ path, renderError: render }) =>
    render === undefined ? [] : [[path, render] as const],
  ),
);

/** Creates the DNS API from its operations and from its own steps in the processing of requests. */
export function createApi(context: Context): Api<Operation> {
  const { settings, log, metrics, tracing } = context;
  const { http } = settings;
  const logAudit = createAuditLog({ log, trust: http });
  return {
    operations: OPERATIONS,
    isTls: http.tls.certificateFile !== undefined,
    types: [MEDIA_TYPES.json],
    log,
    metrics: metrics.requests,
    tracing,
    noRoute: 'unknown',
    perform: (operation, exchange) => perform(context, operation, exchange),
    renderError,
    onAnswered: (operation, exchange, reply) => {
      const { method, writes, onlyReads } = operation;
      if (onlyReads === true || (method === 'GET' && writes !== true)) return;
      noteAnswer(exchange, reply);
      logAudit(operation, exchange);
    },
  };
}

function renderError(error: unknown, { requestId, path }: Exchange): Reply {
  const inOtherWords = OTHER_WORDS.get(path);
  if (inOtherWords !== undefined) return inOtherWords(error, requestId);
  if (isOfV2(path)) return toV2ErrorReply(error, requestId);
  if (error instanceof Refusal && error.code === 'no-such-resource') {
    const headers = { ...HTML_SECURITY_HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
    return { status: 404, headers, body: NOT_FOUND_PAGE };
  }
  const { status, headers, body } = toErrorAnswer(error, requestId);
  return { status, headers, body: JSON.stringify(body) };
}

/** Adds the location of the changed object to the audit line; the journal has the content of the change. */
function noteAnswer({ path, audited }: Exchange, reply: Reply | undefined): void {
  const { Location: location, [DRY_RUN_HEADER]: dryRun } = reply?.headers ?? {};
  Object.assign(audited, {
    path,
    ...(dryRun === undefined ? {} : { dryRun: true }),
    created: location?.replace(/^.*(?=\/v[12]\/)/, ''),
  });
}

/** An unknown URL gets a 404 with an HTML body (DNS API, section 7). The body repeats no part of the request. */
const NOT_FOUND_PAGE = `<!DOCTYPE html>
<html lang="en">
<head><title>404 Not Found</title></head>
<body>
<h1>404 Not Found</h1>
<p>This resource does not exist. The DNS API begins at <a href="/v1">/v1</a>.</p>
</body>
</html>
`;
