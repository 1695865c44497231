import { RECORD_TYPES } from '@zonewright/dns-records';
import type { Context } from '../context.js';
import { getZone } from '../domains/get-zone.js';
import { canonicalFilterName } from '../http/filter-name.js';
import type { TenantRequest } from '../http/operation.js';
import { listReply, markerProblem, readPage } from '../http/page.js';
import type { ApiReply } from '../http/reply.js';
import { invalidRequest } from '../problem.js';
import { findRecord, listRecords, type RecordFilter } from './record-store.js';
import { renderRecord } from './render.js';

/** List Records in a Domain (DNS API s4), oldest first. */
export async function listRecordsReply(
  { db }: Context,
  { caller, params, query }: TenantRequest,
): Promise<ApiReply> {
  const page = readPage(query);
  const filter = readFilter(query);
  const zone = await getZone(db, caller.tenantId, params['domainId'] ?? '');
  const { marker } = page;
  if (marker !== undefined && (await findRecord(db, zone.id, marker)) === undefined) {
    throw invalidRequest([markerProblem(marker)]);
  }
  return await listReply(
    {
      member: 'records',
      fetch: (part) => listRecords(db, zone.id, filter, part),
      render: (record) => renderRecord(record, zone.tenantId),
    },
    page,
  );
}

function readFilter(query: URLSearchParams): RecordFilter {
  const type = query.get('type')?.toUpperCase();
  if (type !== undefined && !Object.hasOwn(RECORD_TYPES, type)) {
    const types = Object.keys(RECORD_TYPES).join(', ');
    throw invalidRequest([
      {
        path: 'type',
        validator: 'enum',
        message: `type ${JSON.stringify(type)} is not supported; write one of ${types}.`,
      },
    ]);
  }
  return {
    name: canonicalFilterName(query.get('name')),
    type,
    data: query.get('data') ?? undefined,
  };
}
