import {
  findRecordsetKey,
  isNarrow,
  listRecordsets,
  readRecordsetStatuses,
  type RecordsetFilter,
  type RecordsetSortKey,
  type ViewedZone,
  type Zone,
} from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { StoredReply } from '../../http/reply.js';
import {
  type ListForm,
  type ListQuery,
  numberFilterOf,
  readListQuery,
  textFilterOf,
  unknownMarker,
} from '../http/list-query.js';
import { listReply, narrowByStatus } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';
import { getListedZone } from '../zones/get-listed-zone.js';
import { nameFilterOf } from '../zones/list-zones.js';
import { renderRecordset } from './render.js';

type Filter = 'name' | 'type' | 'data' | 'description' | 'ttl' | 'status' | 'action';

export const RECORDSET_LIST: ListForm<Filter, RecordsetSortKey> = {
  filters: ['name', 'type', 'data', 'description', 'ttl', 'status', 'action'],
  sortKeys: ['name', 'created_at'],
};

/** List Recordsets of a zone. */
export async function listRecordsetsReply(
  context: Context,
  request: ProjectRequest,
): Promise<StoredReply> {
  const { db, publication, recordsetCounts } = context;
  const { filters, marker, ...order } = readListQuery(request.query, RECORDSET_LIST);
  const filter = readRecordsetFilter(filters);
  const zone = await getListedZone(context.db, request);
  const viewed = { viewer: request.caller, zone };
  const after = marker === undefined ? undefined : await findRecordsetKey(db, viewed, marker);
  if (marker !== undefined && after === undefined) throw unknownMarker(marker);
  const [{ items, isCut }, totalCount] = await inItsPlace(
    context,
    request,
    { viewed, filter },
    () =>
      Promise.all([
        listRecordsets(db, viewed, filter, { ...order, after }),
        recordsetCounts.count(viewed, filter),
      ]),
  );
  // In this order: what is said to be applied was committed before.
  const servers = await publication.statuses.read();
  const statusOf = await readRecordsetStatuses(db, servers, zone);
  const rendered = items.map((each) =>
    renderRecordset(request, { zone, recordset: each }, statusOf(each)),
  );
  const page = narrowByStatus({ items: rendered, isCut, totalCount }, filters);
  return await listReply(request, 'recordsets', page, (recordset) => recordset);
}

export function readRecordsetFilter(
  filters: ListQuery<Filter, RecordsetSortKey>['filters'],
): RecordsetFilter {
  return {
    name: nameFilterOf(filters.name),
    type: textFilterOf(filters.type?.toUpperCase()),
    data: textFilterOf(filters.data),
    description: textFilterOf(filters.description),
    ttl: numberFilterOf('ttl', filters.ttl),
  };
}

/** Zones up to this size are searched within a short slot. */
const SMALL_ZONE_RECORDS = 10_000;

/** Runs a search of a large zone in a slot for long work, not in one for quick answers. */
async function inItsPlace<T>(
  { shares }: Context,
  { caller, turn }: ProjectRequest,
  { viewed, filter }: { readonly viewed: ViewedZone<Zone>; readonly filter: RecordsetFilter },
  work: () => Promise<T>,
): Promise<T> {
  if (isNarrow(viewed, filter) || viewed.zone.recordCount <= SMALL_ZONE_RECORDS)
    return await work();
  return await turn.aside(() => shares.long.run(caller.tenantId, work));
}
