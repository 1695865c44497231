import { readFlag } from '../http/flags.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { FLAG } from '../schemas/parameters.js';
import { getLimits, getUse } from '@zonewright/zones';

export const LIMIT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listLimits',
    name: 'List Limits',
    method: 'GET',
    path: '/v1/limits',
    access: 'tenant',
    body: 'none',
    answers: 'Limits',
    query: { extended: FLAG },
    handle: async ({ db, settings }, { caller, query }) => {
      const isExtended = readFlag(query, 'extended');
      const { maxDomains, maxDomainRecords } = await getLimits(db, caller.tenantId, settings.rules);
      const used = isExtended ? { used: await getUse(db, caller.tenantId) } : {};
      return jsonReply({ limits: { absolute: { maxDomainRecords, maxDomains }, ...used } });
    },
  },
];
