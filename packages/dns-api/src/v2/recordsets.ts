import {
  locateRecordset,
  getRecordset,
  planNewRecordset,
  planRecordsetDelete,
  planRecordsetUpdate,
  type PlanState,
  readRecordsetStatuses,
  type RecordsetKey,
  recordsetNotFound,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { changeRecords } from '../http/change-records.js';
import { editsManagedRecords, type ProjectRequest, viewerOf } from './http/request.js';
import { ofV2 } from './http/operation.js';
import { acceptedReply, movedReply, showPublished } from './http/reply.js';
import { describeList } from './http/list-query.js';
import { getListedZone } from './list-zones.js';
import {
  ALL_RECORDSETS_LIST,
  listAllRecordsetsReply,
  listRecordsetsReply,
  RECORDSET_LIST,
} from './list-recordsets.js';
import { readNewRecordset, readRecordsetUpdate, renderRecordset } from './recordset-form.js';

const COLLECTION = '/zones/{zone_id}/recordsets';
const ONE = `${COLLECTION}/{recordset_id}`;

export const RECORDSET_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createRecordset',
    name: 'Create Recordset (v2)',
    method: 'POST',
    path: COLLECTION,
    isQueued: true,
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
    isQueued: true,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'json',
    reads: 'RecordsetUpdateV2',
    answers: 'RecordsetV2',
    status: 202,
    handle: updateOne,
  },
  {
    id: 'deleteRecordset',
    name: 'Delete Recordset (v2)',
    method: 'DELETE',
    path: ONE,
    isQueued: true,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    answers: 'RecordsetV2',
    status: 202,
    handle: deleteOne,
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
    path: '/recordsets/{recordset_id}',
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
  return await changeRecordset(context, request, {
    plan: (state) => planNewRecordset(state, readNewRecordset(request.body)),
    render: (body) => acceptedReply(body, { Location: body.links.self }),
  });
}

async function updateOne(context: Context, request: ProjectRequest): Promise<StoredReply> {
  const editsManaged = editsManagedRecords(context, request);
  return await changeRecordset(context, request, {
    recordsetId: recordsetIdOf(request),
    plan: (state) =>
      planRecordsetUpdate(state, editsManaged, (type) => readRecordsetUpdate(request.body, type)),
  });
}

async function deleteOne(context: Context, request: ProjectRequest): Promise<StoredReply> {
  const editsManaged = editsManagedRecords(context, request);
  return await changeRecordset(context, request, {
    recordsetId: recordsetIdOf(request),
    plan: (state) => planRecordsetDelete(state, editsManaged),
    action: 'DELETE',
  });
}

interface RequestedRecordset {
  readonly recordsetId?: string;
  readonly plan: (state: PlanState) => ReturnType<typeof planNewRecordset>;
  readonly render?: (body: ReturnType<typeof renderRecordset>) => StoredReply;
  readonly action?: 'DELETE';
}

async function changeRecordset(
  context: Context,
  request: ProjectRequest,
  { recordsetId, plan, render = acceptedReply, action }: RequestedRecordset,
): Promise<StoredReply> {
  const requested = {
    recordsetId,
    plan: async (state: PlanState) => {
      const { zone, work } = state;
      const { recordset, changes, ...planned } = plan(state);
      const isChanged = changes.length > 0;
      const status = isChanged
        ? 'PENDING'
        : await readStatus(context, work.trx, request, recordset);
      const made = renderRecordset(request, { zone, recordset }, status, action);
      return { changes, ...planned, made };
    },
    render: (made: ReturnType<typeof renderRecordset>) => render(made),
  };
  return showPublished(await changeRecords(context, request, requested));
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
  return params['recordset_id'] ?? '';
}
