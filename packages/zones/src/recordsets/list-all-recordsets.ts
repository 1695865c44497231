import type { Database } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import type { ListedZone } from '../listing/listed-zone.js';
import { findListedZoneById, listZonePage } from '../listing/zone-page-store.js';
import type { AnyViewer } from '../request/caller.js';
import type { Chunk } from '../sql/chunk.js';
import { listRecordsets } from './list-recordsets.js';
import type { Recordset } from './recordset.js';
import type { RecordsetFilter } from './recordset-filter.js';
import type { RecordsetKey } from './recordset-id.js';

/** The recordsets of one zone that are on a page. */
interface ZoneRecordsets {
  readonly zone: ListedZone;
  readonly recordsets: readonly Recordset[];
}

interface AllRecordsetsPage {
  readonly limit: number;
  readonly after: { readonly zoneId: string; readonly key: RecordsetKey } | undefined;
}

/** Zones read at a time. A page ends after them if they have matches, and links to the next page. */
const ZONES_AT_A_TIME = 100;
/** However many zones there are: a filter may fit none of them. */
const MAX_TURNS = 50;

/** Lists the recordsets of all zones of a tenant, or of all tenants: by zone name, then by name and type. */
export async function listAllRecordsets(
  db: Database,
  viewer: AnyViewer,
  filter: RecordsetFilter,
  { limit, after }: AllRecordsetsPage,
): Promise<Chunk<ZoneRecordsets>> {
  const names = possibleZones(filter);
  const first = after === undefined ? undefined : await findListedZoneById(db, after.zoneId);
  let zones = first === undefined ? [] : [first];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const others = await listZonePage(
      db,
      { viewer, names },
      {
        limit: ZONES_AT_A_TIME,
        marker: zones.at(-1)?.id,
        sortKey: 'name',
        isDescending: false,
      },
    );
    const isLast = others.length < ZONES_AT_A_TIME;
    const looked = turn === 0 ? [...zones, ...others] : others;
    const page = await listInZones(db, viewer, { zones: looked, filter }, { limit, after });
    if (page.isCut || isLast) return page;
    // Its last item leads on to the next zones.
    if (page.items.length > 0) return { ...page, isCut: true };
    zones = [...looked.slice(-1)];
  }
  const message = `No recordset of the first ${MAX_TURNS * ZONES_AT_A_TIME} zones is like that, and there are more; name the zone, or the whole name.`;
  throw new ServiceError('invalid', message);
}

/** The names of the zones in which a name can be; undefined: of all. */
function possibleZones({ name }: RecordsetFilter): readonly string[] | undefined {
  if (name === undefined || !('equals' in name)) return undefined;
  return [name.equals, ...ancestorsOf(name.equals)];
}

/** Recordsets that fit on the page, of zones in their order. */
async function listInZones(
  db: Database,
  { key: accessKey }: AnyViewer,
  { zones, filter }: { readonly zones: readonly ListedZone[]; readonly filter: RecordsetFilter },
  { limit, after }: AllRecordsetsPage,
): Promise<Chunk<ZoneRecordsets>> {
  const items: ZoneRecordsets[] = [];
  let left = limit;
  for (const [at, zone] of zones.entries()) {
    const key = zone.id === after?.zoneId ? after.key : undefined;
    const page = { limit: left, after: key, sortKey: 'name', isDescending: false } as const;
    const viewer = { tenantId: zone.tenantId, key: accessKey };
    const found = await listRecordsets(db, { viewer, zone }, filter, page);
    if (found.items.length > 0) items.push({ zone, recordsets: found.items });
    left -= found.items.length;
    if (found.isCut || (left === 0 && at < zones.length - 1)) return { items, isCut: true };
  }
  return { items, isCut: false };
}
