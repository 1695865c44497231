import type { Context } from '../context/context.js';
import { canonicalFilterName } from '../http/filter-name.js';
import type { TenantRequest } from '../http/operation.js';
import { listReply, markerProblem, readPage } from '../http/page.js';
import { readParameter } from '../http/parameter.js';
import type { ApiReply } from '../http/reply.js';
import { invalidRequest } from '@zonewright/service-kit';
import { renderZone } from './render.js';
import { findZone, listZones } from '@zonewright/zones';

/** List Domains (DNS API s4), oldest first. */
export async function listZonesReply(
  { db }: Context,
  { caller, query }: TenantRequest,
): Promise<ApiReply> {
  const page = readPage(query);
  const { marker } = page;
  if (marker !== undefined && (await findZone(db, caller.tenantId, marker)) === undefined) {
    throw invalidRequest([markerProblem(marker)]);
  }
  const name = canonicalFilterName(readParameter(query, 'name'));
  return await listReply(
    {
      member: 'domains',
      fetch: async (part) => ({
        items: await listZones(db, { tenantId: caller.tenantId, name, ...part }),
        isCut: false,
      }),
      render: renderZone,
    },
    page,
  );
}
