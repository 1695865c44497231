import {
  creation,
  getRecord,
  planRecordDelete,
  planRecordUpdate,
  recordEtag,
  type RecordTarget,
} from '@zonewright/zones';
import { readNewRecord, readRecordUpdate, renderRecord, saysFlags } from './record-form.js';
import { readFlag } from '../http/members.js';
import type { Context } from '../context/context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { emptyReply, jsonReply, type StoredReply } from '../http/reply.js';
import { changeRecords } from '../http/change-records.js';
import { findCachedList, listRecordsReply, supportedTypes } from './list-records.js';
import { describeSort, FLAG, PAGE, RECORD_SORT_KEYS, TEXT } from '../http/parameters.js';

const RECORDS_PATH = '/v1/domains/{domainId}/records';
const ALL_TYPES = { all_types: FLAG };
/** Parameters of clients that support flags and disabled records. */
const EXTENDED = { ...ALL_TYPES, extended: FLAG };
const ONE = '/v1/domains/{domainId}/records/{recordId}';

export const RECORD_OPERATIONS: readonly Operation[] = [
  {
    id: 'createRecord',
    name: 'Create Record',
    method: 'POST',
    path: RECORDS_PATH,
    isQueued: true,
    hasTag: true,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json',
    reads: 'NewRecord',
    answers: 'Record',
    creates: true,
    query: EXTENDED,
    faults: [409],
    handle: createOne,
  },
  {
    id: 'getRecord',
    name: 'Get Record',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    answers: 'Record',
    query: EXTENDED,
    handle: async (context, request) => {
      const { db, zones } = context;
      const zone = await zones.get(request.caller, zoneIdOf(request));
      const target = targetOf(context, request);
      const record = await getRecord(db, { viewer: request.caller, zone }, target);
      return jsonReply(renderRecord(record, knowsFlags(request)), { ETag: recordEtag(record) });
    },
  },
  {
    id: 'updateRecord',
    name: 'Update Record',
    method: 'PUT',
    path: ONE,
    isQueued: true,
    hasTag: true,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json',
    reads: 'RecordUpdate',
    answers: 'Record',
    query: EXTENDED,
    faults: [409],
    handle: updateOne,
  },
  {
    id: 'deleteRecord',
    name: 'Delete Record',
    method: 'DELETE',
    path: ONE,
    isQueued: true,
    hasTag: true,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    query: EXTENDED,
    handle: deleteOne,
  },
  {
    id: 'listRecords',
    name: 'List Records in a Domain',
    method: 'GET',
    path: RECORDS_PATH,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    compresses: true,
    answers: 'Records',
    query: {
      ...PAGE,
      ...EXTENDED,
      tag: TEXT,
      name: TEXT,
      type: TEXT,
      data: TEXT,
      effective_ttl: FLAG,
      total: FLAG,
      q: TEXT,
      sort: describeSort(RECORD_SORT_KEYS),
    },
    findKept: findCachedList,
    handle: listRecordsReply,
  },
];

async function createOne(context: Context, request: TenantRequest): Promise<StoredReply> {
  return await changeRecords(context, request, {
    // A new record has no tag, so the client sends the tag of the domain.
    ifMatch: request.headers.ifMatch,
    plan: ({ zone }) => {
      const known = supportedTypes(context, request.query);
      const change = creation(zone, readNewRecord(request.body, zone.name, known));
      return { changes: [change], made: change.after };
    },
    render: (record) =>
      jsonReply(renderRecord(record, knowsFlags(request)), {
        ETag: recordEtag(record),
        Location: `${request.baseUrl}/v1/domains/${record.zoneId}/records/${record.id}`,
      }),
  });
}

async function updateOne(context: Context, request: TenantRequest): Promise<StoredReply> {
  const target = targetOf(context, request);
  const { id, known } = target;
  return await changeRecords(context, request, {
    recordIds: [id],
    plan: (state) => {
      const { changes, record } = planRecordUpdate(state, target, (stored) =>
        readRecordUpdate(request.body, stored, { zoneName: state.zone.name, known }),
      );
      return { changes, made: record };
    },
    render: (record) =>
      jsonReply(renderRecord(record, knowsFlags(request)), { ETag: recordEtag(record) }),
  });
}

async function deleteOne(context: Context, request: TenantRequest): Promise<StoredReply> {
  const target = targetOf(context, request);
  return await changeRecords(context, request, {
    recordIds: [target.id],
    plan: (state) => ({ changes: [planRecordDelete(state, target)], made: undefined }),
    render: () => emptyReply(),
  });
}

function zoneIdOf({ params }: TenantRequest): string {
  return params['domainId'] ?? '';
}

/** Whether the client supports disabled records. Old clients reject unknown members and never see disabled records. */
function knowsFlags({ query, body }: TenantRequest): boolean {
  return readFlag(query, 'extended') || saysFlags(body);
}

function targetOf(context: Context, request: TenantRequest): RecordTarget {
  const { params, query, headers } = request;
  return {
    id: (params['recordId'] ?? '').toLowerCase(),
    known: supportedTypes(context, query),
    knowsFlags: knowsFlags(request),
    ifMatch: headers.ifMatch,
  };
}
