import {
  deleteRecordset,
  findRecordsetKey,
  locateRecordset,
  getRecordset,
  lockZoneForRecords,
  planRecordset,
  type PlanState,
  readRecordsetStatuses,
  type RecordsetKey,
  recordsetNotFound,
  updateRecordset,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { changeRecords } from '../http/change-records.js';
import { editsManagedRecords, type ProjectRequest, viewerOf } from './http/request.js';
import { ofV2 } from './http/operation.js';
import { acceptedReply, movedReply, writeV2 } from './http/reply.js';
import { describeList } from './http/list-query.js';
import { getListedZone, zoneIdOf } from './list-zones.js';
import {
  ALL_RECORDSETS_LIST,
  listAllRecordsetsReply,
  listRecordsetsReply,
  RECORDSET_LIST,
} from './list-recordsets.js';
import { readNewRecordset, readRecordsetUpdate, renderRecordset } from './recordset-form.js';

const COLLECTION = '/zones/{zoneId}/recordsets';
const ONE = `${COLLECTION}/{recordsetId}`;

export const RECORDSET_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createRecordset',
    name: 'Create Recordset (v2)',
    method: 'POST',
    path: COLLECTION,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'json',
    reads: 'NewRecordsetV2',
    answers: 'RecordsetV2',
    creates: true,
    status: 202,
    faults: [409],
    handle: createOne,
  },
  {
    id: 'listRecordsets',
    name: 'List Recordsets of a Zone (v2)',
    method: 'GET',
    path: COLLECTION,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    compresses: true,
    answers: 'RecordsetsV2',
    query: describeList(RECORDSET_LIST),
    handle: listRecordsetsReply,
  },
  {
    id: 'getRecordset',
    name: 'Show Recordset (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    answers: 'RecordsetV2',
    handle: async (context, request) => {
      const zone = await getListedZone(context.db, request);
      const recordset = await getRecordset(
        context.db,
        { viewer: request.caller, zone },
        recordsetIdOf(request),
      );
      const servers = await context.publication.statuses.read();
      const statusOf = await readRecordsetStatuses(context.db, servers, zone);
      return jsonReply(renderRecordset(request, { zone, recordset }, statusOf(recordset)));
    },
  },
  {
    id: 'updateRecordset',
    name: 'Update Recordset (v2)',
    method: 'PUT',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'json',
    reads: 'RecordsetUpdateV2',
    answers: 'RecordsetV2',
    status: 202,
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const zone = await lockZoneForRecords(work, zoneIdOf(request));
        const target = targetOf(context, request);
        const type =
          (await findRecordsetKey(work.trx, { viewer: request.caller, zone }, target.id))?.type ??
          '';
        const update = readRecordsetUpdate(request.body, type);
        const updated = await updateRecordset(work, zone, target, update);
        const { recordset, isChanged } = updated;
        const status = isChanged
          ? 'PENDING'
          : await readStatus(context, work.trx, request, recordset);
        const body = renderRecordset(request, updated, status);
        return { reply: acceptedReply(body), serial: updated.zone.serial };
      }),
  },
  {
    id: 'deleteRecordset',
    name: 'Delete Recordset (v2)',
    method: 'DELETE',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    answers: 'RecordsetV2',
    status: 202,
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const zone = await lockZoneForRecords(work, zoneIdOf(request));
        const deleted = await deleteRecordset(work, zone, targetOf(context, request));
        const body = renderRecordset(request, deleted, 'PENDING', 'DELETE');
        return { reply: acceptedReply(body), serial: deleted.zone.serial };
      }),
  },
  {
    id: 'listAllRecordsets',
    name: 'List Recordsets of all Zones (v2)',
    method: 'GET',
    path: '/recordsets',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    compresses: true,
    isLong: true,
    answers: 'RecordsetsV2',
    query: describeList(ALL_RECORDSETS_LIST),
    handle: listAllRecordsetsReply,
  },
  {
    id: 'findRecordset',
    name: 'Find Recordset (v2)',
    method: 'GET',
    path: '/recordsets/{recordsetId}',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    status: 301,
    handle: async ({ db }, request) => {
      const id = recordsetIdOf(request);
      const found = await locateRecordset(db, viewerOf(request), id);
      if (found === undefined) throw recordsetNotFound();
      return movedReply(`${request.baseUrl}/v2/zones/${found.zone.id}/recordsets/${id}`);
    },
  },
]);

async function createOne(context: Context, request: ProjectRequest): Promise<StoredReply> {
  const requested = {
    plan: async ({ readView, zone, work }: PlanState) => {
      const planned = planRecordset(work, zone, readNewRecordset(request.body));
      const { name } = planned.recordset;
      planned.requireAbsent((await readView()).at(name).map(({ content }) => content));
      return { ...planned, made: { zone, recordset: planned.recordset } };
    },
    render: (created: Parameters<typeof renderRecordset>[1]) => {
      const body = renderRecordset(request, created, 'PENDING');
      return acceptedReply(body, { Location: body.links.self });
    },
  };
  return await changeRecords(context, request, requested, (...[, , perform]) =>
    writeV2(context, request, perform),
  );
}

/** Reads the status of a recordset that this request does not change. */
async function readStatus(
  { publication }: Context,
  trx: Context['db'],
  request: ProjectRequest,
  key: RecordsetKey,
) {
  const zone = await getListedZone(trx, request);
  return (await readRecordsetStatuses(trx, await publication.statuses.read(), zone))(key);
}

function recordsetIdOf({ params }: ProjectRequest): string {
  return params['recordsetId'] ?? '';
}

function targetOf(context: Context, request: ProjectRequest) {
  return { id: recordsetIdOf(request), editsManaged: editsManagedRecords(context, request) };
}
