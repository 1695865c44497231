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

/** Records and zones that the rules compare with the changes. */
export interface Neighbours {
  /** The served records at the requested names, and the DNAME records at the names that were requested for these. */
  readonly records: readonly RecordKey[];
  /** The existing zones among the requested names. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
}

interface ZoneOfName {
  readonly name: string;
  readonly apexVersion: number;
}

export interface NeighbourNames {
  readonly recordNames: readonly string[];
  /** The names whose DNAME records are read. Undefined to read all DNAME records of the zone. */
  readonly dnameNames: readonly string[] | undefined;
  /**
   * Names that may be zones. If undefined, all zones below the zone are read: a project can have as many as its quota
   * allows.
   */
  readonly zoneNames: readonly string[] | undefined;
}

/** The number of names in one statement. */
const NAMES_PER_STATEMENT = 10_000;
/** Up to this number of names, the records below them are searched name by name. */
const FEW_NAMES = 5;

/** Returns records and zones by name. */
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

/** Returns the DNAME records at these names, or all DNAME records of the zone. */
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
 * Returns served records below names. For many names it reads all records of the zone.
 *
 * @param limit maximum number of records that are read below each name, if there are few names
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

/** Reads the records and zones that the checks compare with a zone's changes. */
export interface ZoneReader {
  readonly neighbours: (wanted: NeighbourNames) => Neighbours | Promise<Neighbours>;
  /** Returns some of the served records below each of these names, at least `limit` if as many exist. */
  readonly recordsBelow: (
    names: readonly string[],
    limit: number,
  ) =>
    | readonly Pick<RecordKey, 'id' | 'name'>[]
    | Promise<readonly Pick<RecordKey, 'id' | 'name'>[]>;
  /** Returns all served records at these names. */
  readonly recordsAt: (
    names: readonly string[],
  ) => readonly ZoneRecord[] | Promise<readonly ZoneRecord[]>;
}

/** Returns a reader for a zone all of whose served records are known. */
export function readAmong(
  db: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  records: readonly ZoneRecord[],
): ZoneReader {
  return {
    ...readFrom(db, zone),
    neighbours: async ({ recordNames, zoneNames }) => {
      const names = new Set(records.length === 0 ? [] : recordNames);
      return {
        records: records.filter(({ name, type }) => type === 'DNAME' || names.has(name)),
        childZones: toChildZones(await listZonesBelow(db, zone.name, zoneNames)),
      };
    },
    recordsAt: (names) => {
      const wanted = new Set(names);
      return records.filter(({ name }) => wanted.has(name));
    },
  };
}

export function readFrom(db: Database, zone: Pick<Zone, 'id' | 'name'>): ZoneReader {
  return {
    neighbours: (wanted) => listNeighbours(db, zone, wanted),
    recordsBelow: (names, limit) => listBelow(db, zone.id, names, limit),
    recordsAt: (names) => listRecordsNamed(db, zone.id, names),
  };
}
