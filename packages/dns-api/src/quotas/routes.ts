import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { getLimits } from '@zonewright/zones';

export const LIMIT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listLimits',
    name: 'List Limits',
    method: 'GET',
    path: '/v1/limits',
    access: 'tenant',
    body: 'none',
    answers: 'Limits',
    handle: async ({ db, settings }, { caller }) => {
      const { maxDomains, maxDomainRecords } = await getLimits(db, caller.tenantId, settings.rules);
      return jsonReply({ limits: { absolute: { maxDomainRecords, maxDomains } } });
    },
  },
];
