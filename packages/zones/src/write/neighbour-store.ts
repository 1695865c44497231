import { type Database, queryRows, secondaryState } from '@zonewright/database';
import type { ChildZone } from '../checks/future-names.js';
import {
  fromKeyRow,
  listRecordKeys,
  listRecordsNamed,
  RECORD_KEY_COLUMNS,
  type RecordKey,
  type RecordKeyRow,
} from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { listZonesBelow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';

/** Records and zones that rules compare changes with. */
export interface Neighbours {
  /** Served records of the zone at the names that were asked for, and DNAME records at those that were asked for. */
  readonly records: readonly RecordKey[];
  /** Living zones among the names that were asked for. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
}

interface ZoneOfName {
  readonly name: string;
  readonly apexVersion: number;
}

export interface NeighbourNames {
  readonly recordNames: readonly string[];
  /** Names of which only DNAME records are read; undefined: all of the zone. */
  readonly dnameNames: readonly string[] | undefined;
  /** Undefined: all zones below the zone, of which there are as many as its project may have. */
  readonly zoneNames: readonly string[] | undefined;
}

/** Names in one statement. */
const NAMES_PER_STATEMENT = 10_000;
/** Names below which records are looked for one name after the other. */
const FEW_NAMES = 5;

/** Records and zones by name. Few names take one round trip, since each create and update of a record asks for both. */
async function listNeighbours(
  trx: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  { recordNames, dnameNames, zoneNames }: NeighbourNames,
): Promise<Neighbours> {
  const names = [...new Set(recordNames)];
  const few = names.slice(0, NAMES_PER_STATEMENT);
  const first =
    zoneNames === undefined || dnameNames === undefined
      ? {
          records: await listRecordKeys(trx, zone.id, few),
          dnames: await listDnames(trx, zone.id, dnameNames),
          zones: await listZonesBelow(trx, zone.name),
        }
      : await listFew(trx, zone.id, few, { dnameNames, zoneNames });
  const all = [first.records];
  for (let from = NAMES_PER_STATEMENT; from < names.length; from += NAMES_PER_STATEMENT) {
    all.push(await listRecordKeys(trx, zone.id, names.slice(from, from + NAMES_PER_STATEMENT)));
  }
  const read = new Set(names);
  all.push(first.dnames.filter(({ name }) => !read.has(name)));
  return { records: all.flat(), childZones: toChildZones(first.zones) };
}

export function toChildZones(zones: readonly ZoneOfName[]): ReadonlyMap<string, ChildZone> {
  return new Map(
    zones.map(({ name, apexVersion }): [string, ChildZone] => [
      name,
      secondaryState(apexVersion) === undefined ? 'hosted' : 'secondary',
    ]),
  );
}

/** DNAME records at these names, or all of the zone. */
async function listDnames(
  trx: Database,
  zoneId: string,
  names: readonly string[] | undefined,
): Promise<RecordKey[]> {
  const rows = await queryRows<RecordKeyRow>(
    trx,
    `select ${RECORD_KEY_COLUMNS} from dns.records as r
      where r.domain_id = ? and r.type = 'DNAME' ${names === undefined ? '' : 'and r.name = any(?::text[])'}`,
    names === undefined ? [zoneId] : [zoneId, [...names]],
  );
  return rows.map(fromKeyRow);
}

/**
 * Served records below names. For many names all records of the zone are read.
 *
 * @param limit how many are read below a name, if they are few
 */
async function listBelow(
  trx: Database,
  zoneId: string,
  names: readonly string[],
  limit: number,
): Promise<Pick<RecordKey, 'id' | 'name'>[]> {
  if (names.length > FEW_NAMES) {
    return await queryRows(trx, 'select r.id, r.name from dns.records as r where r.domain_id = ?', [
      zoneId,
    ]);
  }
  return await queryRows(
    trx,
    `select r.id, r.name from unnest(?::text[]) as n (name)
      cross join lateral (select r.id, r.name from dns.records as r
                           where r.domain_id = ? and right(r.name, length(n.name) + 1) = '.' || n.name
                           limit ?) as r`,
    [[...names], zoneId, limit],
  );
}

/** A row is a record or, without a type, a zone whose version is in `octets`. A DNAME record has the number 1 in `part`. */
type NeighbourRow = { part: number } & (
  | RecordKeyRow
  | { id: string; name: string; type: null; octets: number }
);

async function listFew(
  trx: Database,
  zoneId: string,
  recordNames: readonly string[],
  {
    dnameNames,
    zoneNames,
  }: { readonly dnameNames: readonly string[]; readonly zoneNames: readonly string[] },
): Promise<{
  records: readonly RecordKey[];
  dnames: readonly RecordKey[];
  zones: readonly ZoneOfName[];
}> {
  const { rows } = await trx
    .raw<{ rows: NeighbourRow[] }>(
      `select ${RECORD_KEY_COLUMNS}, 0 as part from dns.records as r
        where r.domain_id = ? and r.name = any(?::text[])
       union all
       select ${RECORD_KEY_COLUMNS}, 1 from unnest(?::text[]) as n (name)
         cross join lateral (select * from dns.records as r
                              where r.domain_id = ? and r.name = n.name and r.type = 'DNAME' offset 0) as r
       union all
       select d.id, d.name, null, null, null, d.apex_version, 2
         from dns.domains as d
        where d.name = any(?::text[]) and d.deleted_at is null`,
      [zoneId, [...recordNames], [...new Set(dnameNames)], zoneId, [...new Set(zoneNames)]],
    )
    .options({ name: 'list-neighbours' });
  const records = rows.filter((row): row is RecordKeyRow & { part: number } => row.type !== null);
  const ofPart = (wanted: number) => records.filter(({ part }) => part === wanted).map(fromKeyRow);
  return {
    records: ofPart(0),
    dnames: ofPart(1),
    zones: rows
      .filter(({ type }) => type === null)
      .map(({ name, octets }) => ({ name, apexVersion: octets })),
  };
}

/** Reads what checks compare changes of a zone with. */
export interface ZoneReader {
  readonly neighbours: (wanted: NeighbourNames) => Neighbours | Promise<Neighbours>;
  /** Some served records below each of these names, at least `limit` if there are as many. */
  readonly recordsBelow: (
    names: readonly string[],
    limit: number,
  ) =>
    | readonly Pick<RecordKey, 'id' | 'name'>[]
    | Promise<readonly Pick<RecordKey, 'id' | 'name'>[]>;
  /** All served records at these names. */
  readonly recordsAt: (
    names: readonly string[],
  ) => readonly ZoneRecord[] | Promise<readonly ZoneRecord[]>;
}

export function readFrom(db: Database, zone: Pick<Zone, 'id' | 'name'>): ZoneReader {
  return {
    neighbours: (wanted) => listNeighbours(db, zone, wanted),
    recordsBelow: (names, limit) => listBelow(db, zone.id, names, limit),
    recordsAt: (names) => listRecordsNamed(db, zone.id, names),
  };
}
