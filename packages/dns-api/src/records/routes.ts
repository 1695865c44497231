import {
  createRecord,
  deleteRecord,
  getRecord,
  lockZoneForRecords,
  recordEtag,
  type RecordTarget,
  requireMatch,
  updateRecord,
  zoneEtag,
} from '@zonewright/zones';
import { readNewRecord, readRecordUpdate } from './record-form.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { emptyReply, jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { findKeptList, listRecordsReply } from './list-records.js';
import { renderRecord } from './render.js';
import { FLAG, PAGE, TEXT } from '../schemas/parameters.js';

const RECORDS_PATH = '/v1/domains/{domainId}/records';
const ONE = '/v1/domains/{domainId}/records/{recordId}';

export const RECORD_OPERATIONS: readonly Operation[] = [
  {
    id: 'createRecord',
    name: 'Create Record',
    method: 'POST',
    path: RECORDS_PATH,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json',
    reads: 'NewRecord',
    answers: 'Record',
    creates: true,
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const locked = await lockZoneForRecords(work, zoneIdOf(request), [request.body]);
        // What is to be created has no tag: it is the domain's that a client can know.
        requireMatch(request.headers.ifMatch, zoneEtag(locked));
        const content = readNewRecord(request.body, locked.name);
        const { record, zone } = await createRecord(work, locked, content);
        const reply = jsonReply(renderRecord(record), {
          ETag: recordEtag(record),
          Location: `${request.baseUrl}/v1/domains/${zone.id}/records/${record.id}`,
        });
        return { reply, serial: zone.serial };
      }),
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
    handle: async ({ db, zones }, request) => {
      const zone = await zones.get(request.caller, zoneIdOf(request));
      const record = await getRecord(db, { viewer: request.caller, zone }, targetOf(request).id);
      return jsonReply(renderRecord(record), { ETag: recordEtag(record) });
    },
  },
  {
    id: 'updateRecord',
    name: 'Update Record',
    method: 'PUT',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'json',
    reads: 'RecordUpdate',
    answers: 'Record',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const locked = await lockZoneForRecords(work, zoneIdOf(request), [request.body]);
        const { record, zone } = await updateRecord(work, locked, targetOf(request), (stored) =>
          readRecordUpdate(request.body, stored, locked.name),
        );
        const reply = jsonReply(renderRecord(record), { ETag: recordEtag(record) });
        return { reply, serial: zone.serial };
      }),
  },
  {
    id: 'deleteRecord',
    name: 'Delete Record',
    method: 'DELETE',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const locked = await lockZoneForRecords(work, zoneIdOf(request), []);
        const { serial } = await deleteRecord(work, locked, targetOf(request));
        return { reply: emptyReply(), serial };
      }),
  },
  {
    id: 'listRecords',
    name: 'List Records in a Domain',
    method: 'GET',
    path: RECORDS_PATH,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    answers: 'Records',
    query: { ...PAGE, name: TEXT, type: TEXT, data: TEXT, effective_ttl: FLAG },
    findKept: findKeptList,
    handle: listRecordsReply,
  },
];

function zoneIdOf({ params }: TenantRequest): string {
  return params['domainId'] ?? '';
}

function targetOf({ params, headers }: TenantRequest): RecordTarget {
  return { id: params['recordId'] ?? '', ifMatch: headers.ifMatch };
}
