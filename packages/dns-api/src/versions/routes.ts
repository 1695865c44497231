import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { describeV2Versions } from '../v2/versions/describe-versions.js';

/** DNS API s9: version 1, status Current, as of document revision 1.1. Version 2 is listed after it. */
function describeVersion(baseUrl: string) {
  return {
    id: 'v1',
    status: 'CURRENT',
    updated: '2014-05-01T00:00:00Z',
    links: [{ rel: 'self', href: `${baseUrl}/v1` }],
  };
}

export const VERSION_OPERATIONS: readonly Operation[] = [
  {
    id: 'listVersions',
    name: 'List Versions',
    method: 'GET',
    path: '/',
    access: 'public',
    body: 'none',
    answers: 'Versions',
    handle: (_context, { baseUrl }) =>
      Promise.resolve(
        jsonReply({
          versions: { values: [describeVersion(baseUrl), ...describeV2Versions(baseUrl)] },
        }),
      ),
  },
  {
    id: 'getVersion',
    name: 'Get Version',
    method: 'GET',
    path: '/v1',
    access: 'public',
    body: 'none',
    answers: 'VersionDetails',
    handle: (_context, { baseUrl }) =>
      Promise.resolve(jsonReply({ version: describeVersion(baseUrl) })),
  },
];
