import { readFlag } from '../http/flags.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { FLAG } from '../schemas/parameters.js';
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
    query: { extended: FLAG },
    handle: async ({ db, zones }, { caller, params, query }) => {
      const isExtended = readFlag(query, 'extended');
      await zones.get(caller, params['domainId'] ?? '');
      const servers = await listServers(db);
      return jsonReply({
        servers: servers.map(({ id, name, ipv4, ipv6, createdAt, updatedAt }) => ({
          id,
          name,
          created_at: createdAt,
          updated_at: updatedAt,
          ...(isExtended ? { ipv4, ipv6 } : {}),
        })),
      });
    },
  },
];
