import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { getPublication } from './get-publication.js';
import { renderPublication } from './render.js';

export const PUBLICATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'getPublication',
    name: 'Get the Publication of a Change',
    method: 'GET',
    path: '/v1/domains/{domainId}/changes/{serial}',
    access: 'tenant',
    body: 'none',
    params: { serial: { type: 'integer' } },
    answers: 'Publication',
    handle: async (context, { caller, params }) => {
      const zone = await context.zones.get(caller.tenantId, params['domainId'] ?? '');
      const publication = await getPublication(context, zone, params['serial'] ?? '');
      return jsonReply(renderPublication(publication));
    },
  },
];
