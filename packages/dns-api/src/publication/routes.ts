import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { getPublication } from '@zonewright/zones';
import { readSerial } from './read-serial.js';
import { renderPublication } from './render.js';

export const PUBLICATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'getPublication',
    name: 'Get the Publication of a Change',
    method: 'GET',
    path: '/v1/domains/{domainId}/changes/{serial}',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    params: { serial: { type: 'integer' } },
    answers: 'Publication',
    handle: async ({ db, zones, publication }, { caller, params }) => {
      const serial = readSerial(params['serial'] ?? '');
      const zone = await zones.get(caller, params['domainId'] ?? '');
      const found = await getPublication({ db, statuses: publication.statuses }, zone, serial);
      return jsonReply(renderPublication(found));
    },
  },
];
