import { getZone, restoreZone, undeleteZone } from '@zonewright/zones';
import { zoneWritten } from '../domains/render.js';
import type { Operation } from '../http/operation.js';
import { write } from '../http/write.js';
import { listChangesReply } from './list-changes.js';
import { readRestore } from './restore-form.js';

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
        const { params, headers, body, caller } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        await getZone(work.trx, caller.tenantId, target.id);
        return zoneWritten(await restoreZone(work, target, readRestore(body)));
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
        const { params, headers } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        return zoneWritten(await undeleteZone(work, target));
      }),
  },
];
