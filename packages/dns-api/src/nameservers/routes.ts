import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { observeNameservers } from '@zonewright/zones';
import { renderNameserver } from './render.js';

export const NAMESERVER_OPERATIONS: readonly Operation[] = [
  {
    name: 'List Nameservers',
    method: 'get',
    path: '/v1/nameservers',
    access: 'operator',
    body: 'none',
    handle: async ({ db, publication }) => {
      const nameservers = await observeNameservers(db, publication.statuses);
      return jsonReply({ nameservers: nameservers.map(renderNameserver) });
    },
  },
];
