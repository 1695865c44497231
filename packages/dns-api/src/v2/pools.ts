import { ServiceError } from '@zonewright/service-kit';
import { listServers } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { ofV2 } from './http/operation.js';
import { linkOf, listReply } from './http/reply.js';
import type { ProjectRequest } from './http/request.js';

export const POOL_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'listPools',
    name: 'List Pools (v2)',
    method: 'GET',
    path: '/pools',
    access: 'operator',
    body: 'none',
    answers: 'PoolsV2',
    handle: async (context, request) => {
      const pool = await renderPool(context, request);
      const page = { items: [pool], isCut: false, totalCount: 1 };
      return await listReply(request, 'pools', page, (item) => item);
    },
  },
  {
    id: 'getPool',
    name: 'Show Pool (v2)',
    method: 'GET',
    path: '/pools/{pool_id}',
    access: 'operator',
    body: 'none',
    answers: 'PoolV2',
    handle: async (context, request) => {
      if (request.params['pool_id']?.toLowerCase() === POOL_ID) {
        return jsonReply(await renderPool(context, request));
      }
      throw new ServiceError('not-found', 'There is no pool with this id.', {
        details: { type: 'pool_not_found' },
      });
    },
  },
]);

async function renderPool({ db }: Context, request: ProjectRequest) {
  const servers = await listServers(db);
  return {
    id: POOL_ID,
    name: 'default',
    description: 'All nameservers of this service; each serves every zone.',
    project_id: null,
    ns_records: servers.map(({ name }, at) => ({ hostname: name, priority: at + 1 })),
    attributes: {},
    created_at: servers.map(({ createdAt }) => createdAt).toSorted()[0] ?? null,
    updated_at: null,
    links: linkOf(request, `pools/${POOL_ID}`),
  };
}

/** Id of the only pool, since all nameservers serve all zones. Designate gives its default pool this id. */
export const POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
