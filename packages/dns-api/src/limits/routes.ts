import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { findLimits } from '@zonewright/zones';

export const LIMIT_OPERATIONS: readonly Operation[] = [
  {
    name: 'List Limits',
    method: 'get',
    path: '/v1/limits',
    access: 'tenant',
    body: 'none',
    handle: async ({ db, settings }, { caller }) => {
      const { maxDomains, maxDomainRecords } = await findLimits(
        db,
        caller.tenantId,
        settings.rules,
      );
      return jsonReply({ limits: { absolute: { maxDomainRecords, maxDomains } } });
    },
  },
];
