import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { listServers } from '@zonewright/zones';

export const SERVER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listServersOfDomain',
    name: 'Get Servers Hosting a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/servers',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    answers: 'Servers',
    handle: async ({ db, zones }, { caller, params }) => {
      await zones.get(caller, params['domainId'] ?? '');
      const servers = await listServers(db);
      return jsonReply({
        servers: servers.map(({ id, name, createdAt, updatedAt }) => ({
          id,
          name,
          created_at: createdAt,
          updated_at: updatedAt,
        })),
      });
    },
  },
];
