import { createRequestLog, type Logger, type Tracing } from '@zonewright/service-kit';
import { type ProxyTrust, sourceAddress } from '../messages/source-address.js';
import type { Exchange, Operation } from './operation.js';
import type { RequestMetrics } from './request-metrics.js';

/** Where it is told what became of requests. */
export interface ReportTargets {
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  /** Undefined where nothing is traced. */
  readonly tracing: Tracing | undefined;
  /** What log and metrics call the route of what no route takes. */
  readonly noRoute: string;
  /** Whether `pattern` and `ms` stand in log lines as well, the names of `route` and `milliseconds` before version 0.2. */
  readonly hasFormerNames?: boolean;
}

/** The client was gone before it had the answer, as reverse proxies log it. */
const CLIENT_GONE = 499;

/** Whether the client can have all of the answer. */
function isAnswered({ response, answeredAt }: Exchange): boolean {
  return response.writableFinished || answeredAt !== undefined;
}

/** Counts a request and writes its one log line when it is answered. The route is a pattern: ids would make each a metric of its own. */
export function createReporter({
  log,
  metrics,
  tracing,
  noRoute,
  hasFormerNames,
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
    const former = hasFormerNames === true ? { pattern: route, ms: Math.round(duration) } : {};
    logRequest({ method, route, status, milliseconds, requestId, ...logged, ...former });
    tracing?.describeRequest({ method, requestId, route: operation?.path });
  };
}

interface AuditLogOptions {
  readonly log: Logger;
  readonly trust: ProxyTrust;
}

/** docs/operations/logs-and-traces.md: who did what, from where, and what became of it. */
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

/** Who went away before the answer does not know either. */
function outcomeOf(exchange: Exchange): 'success' | 'failure' | 'unknown' {
  if (!isAnswered(exchange)) return 'unknown';
  return exchange.response.statusCode < 400 ? 'success' : 'failure';
}
