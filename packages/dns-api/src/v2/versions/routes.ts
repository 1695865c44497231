import type { Operation } from '../../http/operation.js';
import { jsonReply } from '../../http/reply.js';
import { describeV2Version } from './describe-versions.js';

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
