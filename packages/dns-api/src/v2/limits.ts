import { getLimits } from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { describeV2Version } from '../v1/versions.js';
import { MAX_LIMIT } from './http/list-query.js';
import { ofV2 } from './http/operation.js';

/** Maximum length of a name as text with dots (RFC 1035 s2.3.4). */
const MAX_NAME_LENGTH = 255;

export const LIMIT_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'getLimits',
    name: 'Show Limits (v2)',
    method: 'GET',
    path: '/limits',
    access: 'tenant',
    body: 'none',
    answers: 'LimitsV2',
    handle: async ({ db, settings }, { caller }) => {
      const limits = await getLimits(db, caller.tenantId, settings.rules);
      return jsonReply({
        max_page_limit: MAX_LIMIT,
        max_recordset_name_length: MAX_NAME_LENGTH,
        max_recordset_records: limits.maxRecordsetRecords,
        max_zone_name_length: MAX_NAME_LENGTH,
        max_zone_records: limits.maxDomainRecords,
        max_zone_recordsets: limits.maxDomainRecordsets,
        max_zones: limits.maxDomains,
        min_ttl: null,
      });
    },
  },
]);

export const VERSION_OPERATIONS: readonly Operation[] = [
  {
    id: 'getVersion2',
    name: 'Get Version (v2)',
    method: 'GET',
    path: '/v2',
    access: 'public',
    body: 'none',
    answers: 'VersionDetails',
    handle: (_context, { baseUrl }) =>
      Promise.resolve(jsonReply({ version: describeV2Version(baseUrl, 'v2.0', 'CURRENT') })),
  },
];
