import type { Database } from '@zonewright/database';
import type { ViewedZone } from '../records/get-record.js';
import type { RecordFields } from '../rows/record.js';
import type { Zone } from '../rows/zone.js';
import { type Chunk, CHUNK_OCTETS } from '../sql/chunk.js';
import { listManaged } from '../write/read/provided.js';
import { type Recordset, toRecordset } from './recordset.js';
import { conditionOf, matchesManaged, type RecordsetFilter } from './recordset-filter.js';
import type { RecordsetKey } from './recordset-id.js';
import { listKeysByAge, listKeysByName, listRowsOfKeys } from './recordset-store.js';

/** Order of a list: by name and type, or by age. Each has an index, so that large zones are not sorted. */
export type RecordsetSortKey = 'name' | 'created_at';

export interface RecordsetListPage {
  readonly limit: number;
  /** The last recordset of the page before. */
  readonly after: RecordsetKey | undefined;
  readonly sortKey: RecordsetSortKey;
  readonly isDescending: boolean;
}

/** A part of the recordsets of a zone that somebody may read, those that the service provides among them. */
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
      // One that was deleted since its key was read.
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

/** One more than is wanted, if there is that many. */
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
  // The service's are as old as the zone: older than all others.
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

/** A name has no space of its own. */
function keyText({ name, type }: RecordsetKey): string {
  return `${name} ${type}`;
}
