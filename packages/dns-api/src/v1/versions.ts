import { getLimits, getUse } from '@zonewright/zones';
import { readFlag } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { FLAG } from '../http/parameters.js';
import { jsonReply } from '../http/reply.js';
import { describeApi } from '../openapi/describe-api.js';

/** Version 1 with status Current as of revision 1.1 (DNS API s9). Version 2 follows it in the list. */
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

/** Describes version 2 under both names that Designate uses: its clients search for the current version. */
function describeV2Versions(baseUrl: string) {
  return [
    describeV2Version(baseUrl, 'v2', 'SUPPORTED'),
    describeV2Version(baseUrl, 'v2.0', 'CURRENT'),
  ];
}

export function describeV2Version(baseUrl: string, id: string, status: 'SUPPORTED' | 'CURRENT') {
  return {
    id,
    status,
    updated: '2026-11-22T00:00:00Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2` }],
  };
}

/** Returns the operation that describes all others. */
export function describeOperations(operations: readonly Operation[]): Operation {
  return {
    id: 'describeApi',
    name: 'Describe the API',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    body: 'none',
    handle: (_context, { baseUrl }) => Promise.resolve(jsonReply(describeApi(operations, baseUrl))),
  };
}

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
