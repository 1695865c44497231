import type { ServerResponse } from 'node:http';
import type { Logger } from '@zonewright/service-kit';
import { sourceAddress } from '../request/source-address.js';
import type { Exchange } from './exchange.js';
import type { Operation } from './operation.js';

interface AuditLogOptions {
  readonly log: Logger;
  readonly trustedProxies: number;
}

/** docs/operations/audit-log.md: who did what, from where, and what became of it. */
export function createAuditLog({ log, trustedProxies }: AuditLogOptions) {
  return ({ name }: Operation, { request, response, requestId, audited }: Exchange): void => {
    log.info(
      {
        event: name,
        outcome: outcomeOf(response),
        status: response.statusCode,
        requestId,
        source: sourceAddress(request, trustedProxies),
        ...audited,
      },
      'audit',
    );
  };
}

/** Who went away before the answer does not know either. */
function outcomeOf(response: ServerResponse): 'success' | 'failure' | 'unknown' {
  if (!response.writableFinished) return 'unknown';
  return response.statusCode < 400 ? 'success' : 'failure';
}
