import { lockZoneForRecords, requireMatch, runBatch, zoneEtag } from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { readFlag } from '../http/flags.js';
import { FLAG } from '../schemas/parameters.js';
import { readBatch } from './batch-form.js';
import { renderBatch } from './render.js';

export const BATCH_OPERATIONS: readonly Operation[] = [
  {
    id: 'changeRecords',
    name: 'Change Records in a Batch',
    method: 'POST',
    path: '/v1/domains/{domainId}/batch',
    hasTag: true,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json-batch',
    isLong: true,
    source: 'batch',
    reads: 'Batch',
    answers: 'BatchResult',
    query: { extended: FLAG },
    faults: [409],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const id = request.params['domainId'] ?? '';
        const hasFlags = readFlag(request.query, 'extended');
        const zone = await lockZoneForRecords(work, id);
        requireMatch(request.headers.ifMatch, zoneEtag(zone));
        const result = await runBatch(work, zone, await readBatch(request.body));
        return {
          reply: jsonReply(await renderBatch(result, hasFlags)),
          serial: result.zone.serial,
        };
      }),
  },
];
