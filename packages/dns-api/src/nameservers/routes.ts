import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { observeNameservers } from '@zonewright/zones';
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
    handle: async ({ db, publication }) => {
      const nameservers = await observeNameservers(db, publication.statuses);
      return jsonReply({ nameservers: nameservers.map(renderNameserver) });
    },
  },
];
