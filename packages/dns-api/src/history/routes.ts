import { getZone } from '../domains/get-zone.js';
import { renderZone } from '../domains/render.js';
import { zoneEtag } from '../domains/zone.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { listChangesReply } from './list-changes.js';
import { readRestore } from './restore-form.js';
import { restoreZone } from './restore-zone.js';
import { undeleteZone } from './undelete-zone.js';

export const HISTORY_OPERATIONS: readonly Operation[] = [
  {
    name: 'List Changes of a Domain',
    method: 'get',
    path: '/v1/domains/:domainId/changes',
    access: 'tenant',
    body: 'none',
    handle: listChangesReply,
  },
  {
    name: 'Restore a Domain',
    method: 'post',
    path: '/v1/domains/:domainId/restore',
    access: 'tenant',
    body: 'json',
    isLong: true,
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const id = request.params['domainId'] ?? '';
        await getZone(work.trx, request.caller.tenantId, id);
        const zone = await restoreZone(work, id, readRestore(request.body));
        return jsonReply(renderZone(zone), { ETag: zoneEtag(zone) });
      }),
  },
  {
    name: 'Undelete a Domain',
    method: 'post',
    path: '/v1/domains/:domainId/undelete',
    access: 'tenant',
    body: 'none',
    isLong: true,
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const zone = await undeleteZone(work, request.params['domainId'] ?? '');
        return jsonReply(renderZone(zone), { ETag: zoneEtag(zone) });
      }),
  },
];
