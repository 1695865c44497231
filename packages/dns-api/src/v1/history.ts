import { invalidRequest } from '@zonewright/service-kit';
import {
  getZone,
  type RestoreRequest,
  restoreZone,
  revertChangeset,
  undeleteZone,
  type Undoing,
  type UnitOfWork,
  zoneEtag,
} from '@zonewright/zones';
import { checkFlag, checkMembers, readFlag } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { FLAG, PAGE, TEXT } from '../http/parameters.js';
import { jsonReply } from '../http/reply.js';
import { write, type Written } from '../http/write.js';
import { listChangesReply } from './list-changes.js';
import { readSerial } from './publication.js';
import { renderDifference } from './record-form.js';
import { renderZone, zoneWritten } from './render-domain.js';

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
        const wanted = readRestore(body);
        const noted = withNote(work, `Restored serial ${wanted.serial}`);
        return renderUndoing(work, await restoreZone(noted, target, wanted));
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
        const noted = withNote(work, `Reverted serial ${serial}`);
        return renderUndoing(work, await revertChangeset(noted, target, wanted));
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

/** Notes which change is undone, before the reason of the user. */
function withNote(work: UnitOfWork, what: string): UnitOfWork {
  return { ...work, note: work.note === undefined ? what : `${what}: ${work.note}` };
}

const MAX_SERIAL = 4_294_967_295;

/** Reads the body of a restore. @throws ServiceError `invalid` with all problems. */
function readRestore(body: unknown): RestoreRequest {
  const { values, problems } = checkMembers(body, ['serial', 'confirm']);
  const { serial, confirm = false } = values;
  const isSerial =
    Number.isInteger(serial) && (serial as number) >= 0 && (serial as number) <= MAX_SERIAL;
  const all = [
    ...problems,
    ...checkFlag('confirm', confirm),
    ...(isSerial
      ? []
      : [
          {
            path: 'serial',
            validator: serial === undefined ? 'required' : 'type',
            message: 'serial must be an integer, a serial of the domain.',
          },
        ]),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return { serial: serial as number, confirm: confirm as boolean };
}

/** Renders the restored domain. A dry run shows the difference, as for an import. */
function renderUndoing({ isDryRun }: UnitOfWork, { zone, changes }: Undoing): Written {
  const difference = isDryRun ? { difference: renderDifference(changes, zone.tenantId) } : {};
  return {
    reply: jsonReply({ ...renderZone(zone), ...difference }, { ETag: zoneEtag(zone) }),
    serial: zone.serial,
  };
}
