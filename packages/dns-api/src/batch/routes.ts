import { readFlag } from '../http/flags.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { lockZoneForRecords } from '../records/lock-zone.js';
import { readBatch } from './batch-form.js';
import { renderBatch } from './render.js';
import { runBatch } from './run-batch.js';

export const BATCH_OPERATIONS: readonly Operation[] = [
  {
    name: 'Change Records in a Batch',
    method: 'post',
    path: '/v1/domains/:domainId/batch',
    access: 'tenant',
    body: 'json-batch',
    isLong: true,
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const id = request.params['domainId'] ?? '';
        const bodies = recordBodies(request.body);
        const zone = await lockZoneForRecords(work, id, bodies);
        const batch = readBatch(request.body);
        const isDryRun = readFlag(request.query, 'dry_run');
        return jsonReply(renderBatch(await runBatch(work, zone, batch, isDryRun)));
      }),
  },
];

/** What the items say about records, for locking; nothing of it has been checked. */
function recordBodies(body: unknown): unknown[] {
  const { operations } = (body ?? {}) as { operations?: unknown };
  if (!Array.isArray(operations)) return [];
  return operations.map((item: unknown) => (item as { record?: unknown } | null)?.record);
}
