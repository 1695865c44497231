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

/** Records and zones by name. */
async function listNeighbours(
  trx: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  { recordNames, dnameNames, zoneNames }: NeighbourNames,
): Promise<Neighbours> {
  const names = new Set(recordNames);
  const records: RecordKey[] = [];
  for (let from = 0; from < names.size; from += NAMES_PER_STATEMENT) {
    const some = [...names].slice(from, from + NAMES_PER_STATEMENT);
    records.push(...(await listRecordKeys(trx, zone.id, some)));
  }
  const dnames = await listDnames(trx, zone.id, dnameNames);
  records.push(...dnames.filter(({ name }) => !names.has(name)));
  return { records, childZones: toChildZones(await listZonesBelow(trx, zone.name, zoneNames)) };
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
