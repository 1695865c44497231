import { createRequestLog, type Logger, type Tracing } from '@zonewright/service-kit';
import { type ProxyTrust, sourceAddress } from '../messages/source-address.js';
import type { Exchange, Operation } from './operation.js';
import type { RequestMetrics } from './request-metrics.js';

/** Log, metrics and traces of finished requests. */
export interface ReportTargets {
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
  /** Route name in log and metrics for requests without a route. */
  readonly noRoute: string;
}

/** Status for a client that disconnected before the response, as reverse proxies log it. */
const CLIENT_GONE = 499;

/** Whether the response was sent completely. */
function isAnswered({ response, answeredAt }: Exchange): boolean {
  return response.writableFinished || answeredAt !== undefined;
}

/**
 * Counts a finished request and writes its log line. The route is a pattern, since each id would create a time
 * series.
 */
export function createReporter({
  log,
  metrics,
  tracing,
  noRoute,
}: ReportTargets): (
  exchange: Exchange,
  operation: Operation | undefined,
  startedAt: number,
) => void {
  const logRequest = createRequestLog(log, tracing?.logContext);
  return (exchange, operation, startedAt) => {
    const { request, response, requestId, logged, answeredAt } = exchange;
    const duration = (answeredAt ?? performance.now()) - startedAt;
    const { method = '' } = request;
    const route = operation?.path ?? noRoute;
    const status = isAnswered(exchange) ? response.statusCode : CLIENT_GONE;
    metrics.observe({ method, route, status, seconds: duration / 1_000 });
    const milliseconds = Math.round(duration * 10) / 10;
    logRequest({ method, route, status, milliseconds, requestId, ...logged });
    tracing?.describeRequest({ method, requestId, route: operation?.path });
  };
}

interface AuditLogOptions {
  readonly log: Logger;
  readonly trust: ProxyTrust;
}

/** Writes audit lines: user, action, source and result (docs/operations/logs-and-traces.md). */
export function createAuditLog({ log, trust }: AuditLogOptions) {
  return ({ name }: Operation, exchange: Exchange): void => {
    const { request, response, requestId, audited } = exchange;
    log.info(
      {
        event: name,
        outcome: outcomeOf(exchange),
        status: response.statusCode,
        requestId,
        source: sourceAddress(request, trust),
        ...audited,
      },
      'audit',
    );
  };
}

/** Returns `unknown` if the client disconnected before the response, since it does not know the result. */
function outcomeOf(exchange: Exchange): 'success' | 'failure' | 'unknown' {
  if (!isAnswered(exchange)) return 'unknown';
  return exchange.response.statusCode < 400 ? 'success' : 'failure';
}
