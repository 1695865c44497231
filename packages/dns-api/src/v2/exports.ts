import { addExport, asOwner, getZone, getZoneTask } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import type { ApiReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { exportZoneReply, ZONE_FILE_TYPE } from '../v1/zone-files.js';
import { ofV2 } from './http/operation.js';
import type { ProjectRequest } from './http/request.js';
import { acceptedReply } from './http/reply.js';
import { asAccepted, renderExport, taskOperations, taskTarget } from './tasks.js';

export const EXPORT_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createZoneExport',
    name: 'Create Zone Export (v2)',
    method: 'POST',
    status: 202,
    path: '/zones/{zone_id}/tasks/export',
    access: 'tenant',
    body: 'none',
    answers: 'ZoneExportV2',
    creates: true,
    handle: createExport,
  },
  ...taskOperations('export', renderExport),
  {
    id: 'readZoneExport',
    name: 'Read Zone Export (v2)',
    method: 'GET',
    path: '/zones/tasks/exports/{export_id}/export',
    access: 'tenant',
    body: 'none',
    isLong: true,
    types: [ZONE_FILE_TYPE, 'text/plain', 'application/json'],
    handle: readExport,
  },
]);

async function createExport(context: Context, request: ProjectRequest): Promise<ApiReply> {
  const zoneId = request.params['zone_id'] ?? '';
  return await write(context, request, async ({ trx, caller }) => {
    const zone = await asOwner(trx, caller, zoneId, (owner) => getZone(trx, owner, zoneId));
    const most = context.settings.retention.maxZoneTasks;
    const task = await addExport(trx, { tenantId: caller.tenantId, most }, zone.id);
    const rendered = renderExport(request, task);
    return { reply: acceptedReply(asAccepted(rendered), { Location: rendered.links.self }) };
  });
}

/** Checks access and reads the zone at the time of this request, not of the export's creation. */
async function readExport(context: Context, request: ProjectRequest): Promise<ApiReply> {
  const { zoneId } = await getZoneTask(context.db, taskTarget('export', request));
  const params = { domainId: zoneId ?? '' };
  return await asOwner(context.db, request.caller, params.domainId, (caller) =>
    exportZoneReply(context, { ...request, caller, params }),
  );
}
