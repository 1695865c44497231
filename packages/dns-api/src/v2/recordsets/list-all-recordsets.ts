import {
  type AnyViewer,
  locateRecordset,
  listAllRecordsets,
  readRecordsetStatuses,
  type RecordsetSortKey,
} from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { StoredReply } from '../../http/reply.js';
import { readListQuery, unknownMarker } from '../http/list-query.js';
import { listReply, narrowByStatus } from '../http/list-reply.js';
import { type ProjectRequest, viewerOf } from '../http/project-request.js';
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
  const viewer = viewerOf(request);
  const after = marker === undefined ? undefined : await findMarker(context, viewer, marker);
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
  const page = narrowByStatus({ items: rendered, isCut }, filters);
  return await listReply(request, 'recordsets', page, (item) => item);
}

async function findMarker({ db }: Context, viewer: AnyViewer, marker: string) {
  const found = await locateRecordset(db, viewer, marker);
  const { tenantId } = viewer;
  // Zones that are shared with the project are not in the list.
  if (found === undefined || (tenantId !== undefined && found.zone.tenantId !== tenantId)) {
    throw unknownMarker(marker);
  }
  return { zoneId: found.zone.id, key: found.key };
}
