import type { Context } from '../context/context.js';
import {
  canonicalFilterName,
  DOMAIN_SORT_KEYS,
  readParameter,
  readSearchText,
  readSort,
} from '../http/parameters.js';
import { readFlag } from '../http/members.js';
import type { TenantRequest } from '../http/operation.js';
import { listReply, markerProblem, type Page, readPage, totalHeader } from '../http/page.js';
import type { ApiReply } from '../http/reply.js';
import { invalidRequest } from '@zonewright/service-kit';
import { renderDeletedZone, renderExtendedZone, renderZone } from './render-domain.js';
import {
  countDeletedZones,
  countZonesOf,
  findTombstone,
  isZoneMarker,
  listDeletedZones,
  listLastChanges,
  listZones,
} from '@zonewright/zones';

interface Asked {
  readonly page: Page;
  readonly name: string | undefined;
  readonly q: string | undefined;
  readonly isCounted: boolean;
}

/** List Domains (DNS API s4), oldest first. */
export async function listZonesReply(context: Context, request: TenantRequest): Promise<ApiReply> {
  const { query } = request;
  const asked = {
    page: readPage(query),
    name: canonicalFilterName(readParameter(query, 'name')),
    q: readSearchText(query),
    isCounted: readFlag(query, 'total'),
  };
  if (readFlag(query, 'deleted')) return await listDeleted(context, request, asked);
  return await listLiving(context, request, asked);
}

async function listLiving(
  { db }: Context,
  request: TenantRequest,
  { page, name, q, isCounted }: Asked,
): Promise<ApiReply> {
  const { caller, query } = request;
  const { marker } = page;
  const isExtended = readFlag(query, 'extended');
  const order = readSort(query, DOMAIN_SORT_KEYS);
  // The last domain of the previous page may have been deleted in the meantime.
  const isKnown = marker !== undefined && (await isZoneMarker(db, { viewer: caller, id: marker }));
  requireMarker(marker, isKnown ? marker : undefined);
  const source = {
    member: 'domains',
    headers: isCounted ? totalHeader(await countZonesOf(db, { viewer: caller, name, q })) : {},
  };
  const fetch = (part: { marker: string | undefined; limit: number }) =>
    listZones(db, { viewer: caller, name, q, order, ...part });
  if (!isExtended) {
    return await listReply(
      request,
      {
        ...source,
        fetch: async (part) => ({ items: await fetch(part), isCut: false }),
        render: renderZone,
      },
      page,
    );
  }
  return await listReply(
    request,
    {
      ...source,
      fetch: async (part) => {
        const zones = await fetch(part);
        const changes = await listLastChanges(
          db,
          zones.map(({ id }) => id),
        );
        const items = zones.map((zone) => ({ id: zone.id, zone, change: changes.get(zone.id) }));
        return { items, isCut: false };
      },
      render: ({ zone, change }) => renderExtendedZone(zone, change),
    },
    page,
  );
}

/** Lists deleted domains that can be restored, latest first. */
async function listDeleted(
  { db, settings }: Context,
  request: TenantRequest,
  { page, name, q, isCounted }: Asked,
): Promise<ApiReply> {
  const { caller } = request;
  const { undeleteDays: days } = settings.rules;
  const { marker } = page;
  const { tenantId } = caller;
  requireMarker(marker, marker && (await findTombstone(db, { tenantId, id: marker, days })));
  const wanted = { viewer: caller, days, name, q };
  return await listReply(
    request,
    {
      member: 'domains',
      fetch: async (part) => ({
        items: await listDeletedZones(db, { ...wanted, ...part }),
        isCut: false,
      }),
      render: renderDeletedZone,
      headers: isCounted ? totalHeader(await countDeletedZones(db, wanted)) : {},
    },
    page,
  );
}

function requireMarker(marker: string | undefined, found: unknown): void {
  if (marker !== undefined && found === undefined) throw invalidRequest([markerProblem(marker)]);
}
