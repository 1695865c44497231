import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { listNameservers } from './list-nameservers.js';
import { renderNameserver } from './render.js';

export const NAMESERVER_OPERATIONS: readonly Operation[] = [
  {
    name: 'List Nameservers',
    method: 'get',
    path: '/v1/nameservers',
    access: 'operator',
    body: 'none',
    handle: async (context) => {
      const nameservers = await listNameservers(context);
      return jsonReply({ nameservers: nameservers.map(renderNameserver) });
    },
  },
];
