import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { invalidRequest } from '@zonewright/service-kit';
import { getPublication } from '@zonewright/zones';
import { readSerial } from './read-serial.js';
import { renderPublication } from './render.js';

const MAX_WAIT_SECONDS = 10;

/** How long to wait for the publication; undefined: not at all. @throws ServiceError `invalid`. */
function readWaitMs(query: URLSearchParams): number | undefined {
  const text = query.get('wait');
  if (text === null) return undefined;
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds * 1_000;
  const message = `wait must be a number of seconds from 1 to ${MAX_WAIT_SECONDS}.`;
  throw invalidRequest([{ path: 'wait', validator: 'type', message }]);
}

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
    query: { wait: { type: 'integer', minimum: 1, maximum: 10 } },
    handle: async ({ db, zones, publication }, request) => {
      const { caller, params } = request;
      const serial = readSerial(params['serial'] ?? '');
      const waitMs = readWaitMs(request.query);
      const zone = await zones.get(caller, params['domainId'] ?? '');
      const read = () => getPublication({ db, statuses: publication.statuses }, zone, serial);
      const found = await read();
      if (waitMs === undefined || found.count.isPublished) {
        return jsonReply(renderPublication(found));
      }
      // Without a place, and without a connection of the database.
      await request.turn.aside(() =>
        publication.wait(found.change, caller.tenantId, waitMs, request.onAbandoned),
      );
      return jsonReply(renderPublication(await read()));
    },
  },
];
