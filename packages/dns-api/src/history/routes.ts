import { getZone, restoreZone, revertChangeset, undeleteZone } from '@zonewright/zones';
import { zoneWritten } from '../domains/render.js';
import { readFlag } from '../http/flags.js';
import type { Operation } from '../http/operation.js';
import { write } from '../http/write.js';
import { listChangesReply } from './list-changes.js';
import { readRestore } from './restore-form.js';
import { renderUndoing } from './render-undoing.js';
import { readSerial } from '../publication/read-serial.js';
import { FLAG, PAGE, TEXT } from '../schemas/parameters.js';

export const HISTORY_OPERATIONS: readonly Operation[] = [
  {
    id: 'listChanges',
    name: 'List Changes of a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/changes',
    access: 'tenant',
    body: 'none',
    compresses: true,
    answers: 'Changes',
    query: {
      limit: PAGE.limit,
      marker: { type: 'integer' },
      record_id: PAGE.marker,
      name: TEXT,
      type: TEXT,
      user_id: TEXT,
      since: TEXT,
      until: TEXT,
      extended: FLAG,
      group: { enum: ['none', 'serial'], default: 'none' },
    },
    handle: listChangesReply,
  },
  {
    id: 'restoreDomain',
    name: 'Restore a Domain',
    method: 'POST',
    path: '/v1/domains/{domainId}/restore',
    hasTag: true,
    access: 'tenant',
    body: 'json',
    isLong: true,
    source: 'restore',
    reads: 'Restore',
    answers: 'RestoredDomain',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { params, headers, body, caller } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        await getZone(work.trx, caller, target.id);
        return renderUndoing(work, await restoreZone(work, target, readRestore(body)));
      }),
  },
  {
    id: 'revertChange',
    name: 'Revert a Change',
    method: 'POST',
    path: '/v1/domains/{domainId}/changes/{serial}/revert',
    hasTag: true,
    access: 'tenant',
    body: 'none',
    params: { serial: { type: 'integer' } },
    query: { confirm: FLAG },
    isLong: true,
    source: 'revert',
    answers: 'RestoredDomain',
    faults: [409, 413],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { params, headers, query, caller } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        await getZone(work.trx, caller, target.id);
        const serial = readSerial(params['serial'] ?? '');
        const wanted = { serial, confirm: readFlag(query, 'confirm') };
        return renderUndoing(work, await revertChangeset(work, target, wanted));
      }),
  },
  {
    id: 'undeleteDomain',
    name: 'Undelete a Domain',
    method: 'POST',
    path: '/v1/domains/{domainId}/undelete',
    hasTag: true,
    access: 'tenant',
    body: 'none',
    isLong: true,
    answers: 'Domain',
    faults: [409, 413],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { params, headers } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        return zoneWritten(await undeleteZone(work, target));
      }),
  },
];
