import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { getPublication } from './get-publication.js';
import { renderPublication } from './render.js';

export const PUBLICATION_OPERATIONS: readonly Operation[] = [
  {
    name: 'Get the Publication of a Change',
    method: 'get',
    path: '/v1/domains/:domainId/changes/:serial',
    access: 'tenant',
    body: 'none',
    handle: async (context, { caller, params }) => {
      const zone = await context.zones.get(caller.tenantId, params['domainId'] ?? '');
      const publication = await getPublication(context, zone, params['serial'] ?? '');
      return jsonReply(renderPublication(publication));
    },
  },
];
