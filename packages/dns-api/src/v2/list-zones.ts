import {
  countListedZones,
  findListedZone,
  isZoneMarker,
  type ListedZone,
  listSharedZoneIds,
  listZonePage,
  type TextFilter,
  type ZoneFilter,
  zoneNotFound,
  type ZoneSortKey,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { canonicalFilterName } from '../http/parameters.js';
import type { StoredReply } from '../http/reply.js';
import {
  type ListForm,
  numberFilterOf,
  readListQuery,
  textFilterOf,
  unknownMarker,
} from './http/list-query.js';
import { listReply, narrowByStatus } from './http/reply.js';
import { type ProjectRequest, viewerOf } from './http/request.js';
import { renderListedZone } from './render-zone.js';

type Filter = 'name' | 'email' | 'description' | 'ttl' | 'type' | 'status';

export const ZONE_LIST: ListForm<Filter, ZoneSortKey> = {
  filters: ['name', 'email', 'description', 'ttl', 'type', 'status'],
  sortKeys: ['created_at', 'updated_at', 'name', 'email', 'serial', 'ttl', 'id'],
};

/** Lists the zones of the project and those shared with it, or the zones of all projects. */
export async function listZonesReply(
  { db, publication }: Context,
  request: ProjectRequest,
): Promise<StoredReply> {
  const { filters, limit, ...order } = readListQuery(request.query, ZONE_LIST);
  const viewer = viewerOf(request);
  const type = filters.type?.toUpperCase();
  const { tenantId } = viewer;
  const all = {
    viewer,
    alsoIds: tenantId === undefined ? [] : await listSharedZoneIds(db, tenantId),
  };
  const filter = {
    ...all,
    name: nameFilterOf(filters.name),
    email: textFilterOf(filters.email),
    description: textFilterOf(filters.description),
    ttl: numberFilterOf('ttl', filters.ttl),
    isSecondary: type === undefined ? undefined : type === 'SECONDARY',
  };
  await requireMarker(db, all, order.marker);
  if (type !== undefined && type !== 'PRIMARY' && type !== 'SECONDARY') {
    return await listReply(request, 'zones', { items: [], isCut: false, totalCount: 0 }, String);
  }
  const found = await listZonePage(db, filter, { ...order, limit: limit + 1 });
  const page = {
    items: found.slice(0, limit),
    isCut: found.length > limit,
    totalCount: await countListedZones(db, filter),
  };
  // Read the statuses first: changes that a nameserver reports as applied were committed earlier.
  const servers = await publication.statuses.read();
  const items = page.items.map((zone) => renderListedZone(request, servers, zone));
  return await listReply(
    request,
    'zones',
    narrowByStatus({ ...page, items }, filters),
    (zone) => zone,
  );
}

/** Names are stored as A-labels in lower case, with a dot at their end. */
export function nameFilterOf(name: string | undefined): TextFilter | undefined {
  const filter = textFilterOf(name?.toLowerCase());
  if (filter === undefined || 'like' in filter) return filter;
  return { equals: canonicalFilterName(filter.equals) ?? '' };
}

/**
 * The last zone of the previous page may have changed or been deleted in the meantime, but it must belong to this
 * list.
 */
async function requireMarker(
  db: Context['db'],
  all: ZoneFilter,
  marker: string | undefined,
): Promise<void> {
  if (marker === undefined || (await isZoneMarker(db, { ...all, id: marker }))) return;
  throw unknownMarker(marker);
}

export function zoneIdOf({ params }: ProjectRequest): string {
  return params['zone_id'] ?? '';
}

/** Returns the zone in the path. @throws ServiceError `not-found` */
export async function getListedZone(
  db: Context['db'],
  request: ProjectRequest,
): Promise<ListedZone> {
  const zone = await findListedZone(db, request.caller, zoneIdOf(request));
  if (zone === undefined) throw zoneNotFound();
  return zone;
}
