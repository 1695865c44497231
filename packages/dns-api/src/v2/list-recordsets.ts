import {
  type AnyViewer,
  findRecordsetMarker,
  isNarrow,
  isZoneMarker,
  listAllRecordsets,
  listRecordsets,
  locateRecordset,
  readRecordsetStatuses,
  recordsetId,
  type RecordsetFilter,
  type RecordsetKey,
  type RecordsetSortKey,
  type ViewedZone,
  type Zone,
} from '@zonewright/zones';
import { isUuid } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import type { StoredReply } from '../http/reply.js';
import {
  type ListForm,
  type ListQuery,
  numberFilterOf,
  readListQuery,
  textFilterOf,
  unknownMarker,
} from './http/list-query.js';
import { listReply, narrowByStatus } from './http/reply.js';
import { type ProjectRequest, viewerOf } from './http/request.js';
import { getListedZone, nameFilterOf } from './list-zones.js';
import { renderRecordset } from './recordset-form.js';

type Filter = 'name' | 'type' | 'data' | 'description' | 'ttl' | 'status' | 'action';

export const RECORDSET_LIST: ListForm<Filter, RecordsetSortKey> = {
  filters: ['name', 'type', 'data', 'description', 'ttl', 'status', 'action'],
  sortKeys: ['name', 'created_at'],
};

/** Lists the recordsets of a zone. */
export async function listRecordsetsReply(
  context: Context,
  request: ProjectRequest,
): Promise<StoredReply> {
  const { db, publication, recordsetCounts } = context;
  const { filters, marker, ...order } = readListQuery(request.query, RECORDSET_LIST);
  const filter = readRecordsetFilter(filters);
  const zone = await getListedZone(context.db, request);
  const viewed = { viewer: request.caller, zone };
  const after = marker === undefined ? undefined : await findRecordsetMarker(db, viewed, marker);
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
  // Read the statuses first: changes that a nameserver reports as applied were committed earlier.
  const servers = await publication.statuses.read();
  const statusOf = await readRecordsetStatuses(db, servers, zone);
  const rendered = items.map((each) =>
    renderRecordset(request, { zone, recordset: each }, statusOf(each)),
  );
  const page = narrowByStatus({ items: rendered, isCut, totalCount }, filters);
  return await listReply(request, 'recordsets', page, (recordset) => recordset);
}

function readRecordsetFilter(
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

/** Zones up to this size are searched in a short slot. */
const SMALL_ZONE_RECORDS = 10_000;

/** Runs a search of a large zone in a slot for long work, so that it does not delay short requests. */
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

/** List of the recordsets of all zones, by zone, name and type. */
export const ALL_RECORDSETS_LIST = {
  ...RECORDSET_LIST,
  sortKeys: ['name'] as [RecordsetSortKey],
};

/** Lists the recordsets of all zones of the project, or of all projects. */
export async function listAllRecordsetsReply(
  context: Context,
  request: ProjectRequest,
): Promise<StoredReply> {
  const { db, publication } = context;
  const { filters, marker, position, limit } = readListQuery(request.query, ALL_RECORDSETS_LIST);
  const filter = readRecordsetFilter(filters);
  const viewer = viewerOf(request);
  const after =
    marker === undefined ? undefined : await findMarker(context, viewer, { marker, position });
  const { items, isCut } = await listAllRecordsets(db, viewer, filter, { limit, after });
  const servers = await publication.statuses.read();
  const rendered: ReturnType<typeof renderRecordset>[] = [];
  for (const { zone, recordsets } of items) {
    const statusOf = await readRecordsetStatuses(db, servers, zone);
    rendered.push(
      ...recordsets.map((each) =>
        renderRecordset(request, { zone, recordset: each }, statusOf(each)),
      ),
    );
  }
  const last = items.at(-1);
  const key = last?.recordsets.at(-1);
  const lastPosition = last && key && `${last.zone.id} ${key.name} ${key.type}`;
  const page = narrowByStatus({ items: rendered, isCut, lastPosition }, filters);
  return await listReply(request, 'recordsets', page, (item) => item);
}

async function findMarker(
  { db }: Context,
  viewer: AnyViewer,
  { marker, position = '' }: { readonly marker: string; readonly position: string | undefined },
) {
  const found = await locateRecordset(db, viewer, marker);
  const { tenantId } = viewer;
  // The list does not contain zones that are shared with the project.
  if (found !== undefined && (tenantId === undefined || found.zone.tenantId === tenantId)) {
    return { zoneId: found.zone.id, key: found.key };
  }
  // The recordset, or its zone, was deleted after the page before.
  const place = readPosition(position);
  const isOfMarker = isUuid(place.zoneId) && recordsetId(place.zoneId, place.key) === marker;
  if (isOfMarker && (await isZoneMarker(db, { viewer, id: place.zoneId }))) return place;
  throw unknownMarker(marker);
}

/** Reads the zone, name and type of a recordset, as links have them. */
function readPosition(position: string): { readonly zoneId: string; readonly key: RecordsetKey } {
  const [zoneId = '', name = '', type = ''] = position.split(' ');
  return { zoneId, key: { name, type } };
}
