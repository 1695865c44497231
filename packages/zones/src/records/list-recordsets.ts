import type { Database } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { findListedZoneById, type ListedZone, listZonePage } from '../domains/zone-page-store.js';
import type { AnyViewer } from '../request/caller.js';
import type { RecordFields } from '../rows/record.js';
import { type Chunk, CHUNK_OCTETS } from '../rows/statements.js';
import type { Zone } from '../rows/zone.js';
import { listManaged } from '../write/zone-view.js';
import type { ViewedZone } from './get-record.js';
import { conditionOf, matchesManaged, type RecordsetFilter } from './recordset-filter.js';
import { listKeysByAge, listKeysByName, listRowsOfKeys } from './recordset-store.js';
import { type Recordset, type RecordsetKey, toRecordset } from '../rows/recordset.js';

/** Order of a list: by name and type, or by age. Each has an index, so that large zones are not sorted. */
export type RecordsetSortKey = 'name' | 'created_at';

interface RecordsetListPage {
  readonly limit: number;
  /** Last recordset of the previous page. */
  readonly after: RecordsetKey | undefined;
  readonly sortKey: RecordsetSortKey;
  readonly isDescending: boolean;
}

/** Lists a page of a zone's recordsets that the viewer may read, including managed ones. */
export async function listRecordsets(
  db: Database,
  viewed: ViewedZone<Zone>,
  filter: RecordsetFilter,
  page: RecordsetListPage,
): Promise<Chunk<Recordset>> {
  const { zone } = viewed;
  const provided = await listManaged(db, zone);
  const own = [...provided]
    .filter(([type, data]) => matchesManaged(viewed, filter, type, data))
    .map(([type]) => ({ name: zone.name, type }));
  const keys = await listKeys(db, { viewed, filter, page, own, isProvided: provided.size > 0 });
  const wanted = keys.slice(0, page.limit);
  const rows = await listRowsOfKeys(db, zone.id, wanted);
  const byKey = groupByKey(rows);
  const octets = rows.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  const lastRead = wanted.findLastIndex((key) => byKey.has(keyText(key)));
  const read = octets >= CHUNK_OCTETS ? wanted.slice(0, lastRead + 1) : wanted;
  return {
    items: read.flatMap((key) => {
      const its = byKey.get(keyText(key)) ?? [];
      const ofService = isOneOf(own, key) ? provided.get(key.type) : undefined;
      // The recordset was deleted after its key was read.
      return its.length === 0 && ofService === undefined
        ? []
        : [toRecordset(zone, key, its, ofService)];
    }),
    isCut: read.length < keys.length,
  };
}

interface WantedKeys {
  readonly viewed: ViewedZone;
  readonly filter: RecordsetFilter;
  readonly page: RecordsetListPage;
  /** Managed recordsets in the list. */
  readonly own: readonly RecordsetKey[];
  /** Whether the service manages SOA and NS at the apex. */
  readonly isProvided: boolean;
}

/** Returns one key more than requested, if there are enough. */
async function listKeys(
  db: Database,
  { viewed, filter, page, own, isProvided }: WantedKeys,
): Promise<RecordsetKey[]> {
  const { after, isDescending, sortKey } = page;
  const limit = page.limit + 1;
  const condition = conditionOf(viewed, filter, isProvided);
  const wanted = { zoneId: viewed.zone.id, condition, isDescending, limit };
  const sorted = own.toSorted((one, other) => compareKeys(one, other, isDescending));
  if (sortKey === 'name') {
    const stored = await listKeysByName(db, { ...wanted, after });
    const ofService = sorted.filter(
      (key) => after === undefined || compareKeys(key, after, isDescending) > 0,
    );
    return [...stored, ...ofService]
      .toSorted((one, other) => compareKeys(one, other, isDescending))
      .slice(0, limit);
  }
  // Managed recordsets are as old as the zone, so they come before all others.
  const at = after === undefined ? -1 : sorted.findIndex((key) => keyText(key) === keyText(after));
  const isAmongOwn = at !== -1;
  const rest = sorted.slice(at + 1);
  if (isDescending) {
    const stored = isAmongOwn ? [] : await listKeysByAge(db, { ...wanted, after });
    return [...stored, ...rest].slice(0, limit);
  }
  const stored = await listKeysByAge(db, { ...wanted, after: isAmongOwn ? undefined : after });
  return [...(after === undefined || isAmongOwn ? rest : []), ...stored].slice(0, limit);
}

function groupByKey(rows: readonly RecordFields[]): ReadonlyMap<string, RecordFields[]> {
  const byKey = new Map<string, RecordFields[]>();
  for (const row of rows) {
    const key = keyText(row);
    const its = byKey.get(key);
    if (its === undefined) byKey.set(key, [row]);
    else its.push(row);
  }
  return byKey;
}

function compareKeys(one: RecordsetKey, other: RecordsetKey, isDescending: boolean): number {
  if (keyText(one) === keyText(other)) return 0;
  const isBefore = one.name === other.name ? one.type < other.type : one.name < other.name;
  return isBefore === isDescending ? 1 : -1;
}

function isOneOf(keys: readonly RecordsetKey[], key: RecordsetKey): boolean {
  return keys.some((each) => keyText(each) === keyText(key));
}

/** Returns a unique text, since names contain no blanks. */
function keyText({ name, type }: RecordsetKey): string {
  return `${name} ${type}`;
}

interface ZoneRecordsets {
  readonly zone: ListedZone;
  readonly recordsets: readonly Recordset[];
}

interface AllRecordsetsPage {
  readonly limit: number;
  readonly after: { readonly zoneId: string; readonly key: RecordsetKey } | undefined;
}

/** Number of zones that are read at a time. A page with matches ends after them and links to the next page. */
const ZONES_AT_A_TIME = 100;
/** Maximum number of rounds, since a filter may match nothing in many zones. */
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
  // The zone of the marker may be deleted.
  let marker = after?.zoneId;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const others = await listZonePage(
      db,
      { viewer, names },
      {
        limit: ZONES_AT_A_TIME,
        marker,
        sortKey: 'name',
        isDescending: false,
      },
    );
    const isLast = others.length < ZONES_AT_A_TIME;
    const looked = turn === 0 ? [...zones, ...others] : others;
    const page = await listInZones(db, viewer, { zones: looked, filter }, { limit, after });
    if (page.isCut || isLast) return page;
    // The last item leads to the next zones.
    if (page.items.length > 0) return { ...page, isCut: true };
    zones = [...looked.slice(-1)];
    marker = zones[0]?.id;
  }
  const message = `No recordset in the first ${MAX_TURNS * ZONES_AT_A_TIME} zones matches, and there are more zones; give the zone, or the complete name.`;
  throw new ServiceError('invalid', message);
}

/** Returns the names of zones that may contain a name. Undefined means all zones. */
function possibleZones({ name }: RecordsetFilter): readonly string[] | undefined {
  if (name === undefined || !('equals' in name)) return undefined;
  return [name.equals, ...ancestorsOf(name.equals)];
}

/** Lists the recordsets that fit on the page, from zones in order. */
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
