import { addExport, asOwner, getZone, getZoneTask, removeZoneTask } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { type ApiReply, jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { exportZoneReply, ZONE_FILE_TYPE } from '../v1/zone-files.js';
import { describeList, listPageReply } from './http/list-query.js';
import { ofV2 } from './http/operation.js';
import type { ProjectRequest } from './http/request.js';
import { acceptedReply, noContentReply } from './http/reply.js';
import { asAccepted, listTasks, renderExport, TASK_LIST } from './tasks.js';

const ONE = '/zones/tasks/exports/{export_id}';

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
  {
    id: 'listZoneExports',
    name: 'List Zone Exports (v2)',
    method: 'GET',
    path: '/zones/tasks/exports',
    access: 'tenant',
    body: 'none',
    answers: 'ZoneExportsV2',
    query: describeList(TASK_LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'exports',
        form: TASK_LIST,
        fetch: listTasks(db, request, 'export'),
        render: (task) => renderExport(request, task),
      }),
  },
  {
    id: 'getZoneExport',
    name: 'Get Zone Export (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    body: 'none',
    answers: 'ZoneExportV2',
    handle: async ({ db }, request) =>
      jsonReply(renderExport(request, await getZoneTask(db, targetOf(request)))),
  },
  {
    id: 'readZoneExport',
    name: 'Read Zone Export (v2)',
    method: 'GET',
    path: `${ONE}/export`,
    access: 'tenant',
    body: 'none',
    isLong: true,
    types: [ZONE_FILE_TYPE, 'text/plain', 'application/json'],
    handle: readExport,
  },
  {
    id: 'deleteZoneExport',
    name: 'Delete Zone Export (v2)',
    method: 'DELETE',
    status: 204,
    path: ONE,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async ({ trx }) => {
        await removeZoneTask(trx, targetOf(request));
        return { reply: noContentReply() };
      }),
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
  const { zoneId } = await getZoneTask(context.db, targetOf(request));
  const params = { domainId: zoneId ?? '' };
  return await asOwner(context.db, request.caller, params.domainId, (caller) =>
    exportZoneReply(context, { ...request, caller, params }),
  );
}

function targetOf({ caller, params }: ProjectRequest) {
  return { tenantId: caller.tenantId, kind: 'export', id: params['export_id'] ?? '' } as const;
}
