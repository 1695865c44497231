import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { listNameservers } from './list-nameservers.js';
import { renderNameserver } from './render.js';

export const NAMESERVER_OPERATIONS: readonly Operation[] = [
  {
    id: 'listNameservers',
    name: 'List Nameservers',
    method: 'GET',
    path: '/v1/nameservers',
    access: 'operator',
    body: 'none',
    answers: 'Nameservers',
    handle: async (context) => {
      const nameservers = await listNameservers(context);
      return jsonReply({ nameservers: nameservers.map(renderNameserver) });
    },
  },
];
