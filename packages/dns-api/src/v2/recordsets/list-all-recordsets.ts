import {
  findRecordsetKey,
  findRecordsetZone,
  listAllRecordsets,
  readRecordsetStatuses,
  type RecordsetSortKey,
} from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { StoredReply } from '../../http/reply.js';
import { readListQuery, unknownMarker } from '../http/list-query.js';
import { listReply, narrowByStatus } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';
import { readRecordsetFilter, RECORDSET_LIST } from './list-recordsets.js';
import { renderRecordset } from './render.js';

/** Zones by name, and in each the recordsets by name and type. */
export const ALL_RECORDSETS_LIST = {
  ...RECORDSET_LIST,
  sortKeys: ['name'] as [RecordsetSortKey],
};

/** List Recordsets of all zones of the project, or of all projects. */
export async function listAllRecordsetsReply(
  context: Context,
  request: ProjectRequest,
): Promise<StoredReply> {
  const { db, publication } = context;
  const { filters, marker, limit } = readListQuery(request.query, ALL_RECORDSETS_LIST);
  const filter = readRecordsetFilter(filters);
  const tenantId = request.isForAllProjects ? undefined : request.caller.tenantId;
  const after = marker === undefined ? undefined : await findMarker(context, tenantId, marker);
  const { items, isCut } = await listAllRecordsets(db, tenantId, filter, { limit, after });
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
  const page = narrowByStatus({ items: rendered, isCut }, filters);
  return await listReply(request, 'recordsets', page, (item) => item);
}

async function findMarker({ db, zones }: Context, tenantId: string | undefined, marker: string) {
  const found = await findRecordsetZone(db, marker, tenantId);
  if (found === undefined || (tenantId !== undefined && found.tenantId !== tenantId)) {
    throw unknownMarker(marker);
  }
  const zone = await zones.get({ tenantId: found.tenantId }, found.zoneId);
  const key = await findRecordsetKey(db, zone, marker);
  if (key === undefined) throw unknownMarker(marker);
  return { zoneId: zone.id, key };
}
