import { type Api, createAuditLog, MEDIA_TYPES } from '@zonewright/http-api';
import type { Context, Operation } from './context/context.js';
import { renderError } from './context/errors.js';
import { PASSED_OPERATIONS } from './operations/passed-operations.js';
import { SESSION_OPERATIONS } from './operations/session-operations.js';
import { requestOrigin, requireSameOrigin } from './context/origin.js';

/** Time limit of a request. The slowest import, or a wait for the nameservers, can take that long. */
const ANSWER_WITHIN_MS = 60_000;

/** Creates the API for the console's pages: sessions, and operations that are forwarded to the services. */
export function createApi(context: Context): Api<Operation> {
  const { settings, log, metrics, tracing, gate } = context;
  const logAudit = createAuditLog({ log, trust: settings.http });
  return {
    operations: [...SESSION_OPERATIONS, ...PASSED_OPERATIONS],
    isTls: settings.http.tls.certificateFile !== undefined,
    types: [MEDIA_TYPES.json],
    log,
    metrics: metrics.requests,
    tracing,
    noRoute: 'unknown',
    perform: async (operation, exchange) => {
      const place = requestOrigin(exchange.request, settings.http);
      requireSameOrigin(exchange.request, place);
      return await gate.run(() => operation.handle(context, exchange, place), {
        answerWithinMs: ANSWER_WITHIN_MS,
      });
    },
    renderError,
    onAnswered: (operation, exchange) => {
      // Forwarded operations are logged by the service that performs them.
      if (operation.id === 'logIn' || operation.id === 'logOut') logAudit(operation, exchange);
    },
  };
}
