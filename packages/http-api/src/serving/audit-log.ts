import type { Logger } from '@zonewright/service-kit';
import { type ProxyTrust, sourceAddress } from '../request/source-address.js';
import type { Exchange } from '../operation/exchange.js';
import type { Operation } from '../operation/operation.js';
import { isAnswered } from './report-request.js';

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
