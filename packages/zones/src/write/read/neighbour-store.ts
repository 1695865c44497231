import { type Database, secondaryState } from '@zonewright/database';
import {
  fromKeyRow,
  listRecordKeys,
  RECORD_KEY_COLUMNS,
  type RecordKey,
  type RecordKeyRow,
} from '../../rows/record-store.js';
import { listZonesBelow } from '../../rows/zone-store.js';
import type { Zone } from '../../rows/zone.js';
import type { ChildZone } from '../checks/rule-facts.js';

/** Records and zones that rules compare changes with. */
export interface Neighbours {
  /** Served records of the zone at the names that were asked for. */
  readonly records: readonly RecordKey[];
  /** Living zones among the names that were asked for. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
}

interface ZoneOfName {
  readonly name: string;
  readonly apexVersion: number;
}

export interface WantedNames {
  readonly recordNames: readonly string[];
  /** Undefined: all zones below the zone, of which there are as many as its project may have. */
  readonly zoneNames: readonly string[] | undefined;
}

/** Names in one statement. */
const NAMES_PER_STATEMENT = 10_000;

/** Records and zones by name. Few names take one round trip, since each create and update of a record asks for both. */
export async function listNeighbours(
  trx: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  { recordNames, zoneNames }: WantedNames,
): Promise<Neighbours> {
  const names = [...new Set(recordNames)];
  const few = names.slice(0, NAMES_PER_STATEMENT);
  const first =
    zoneNames === undefined
      ? {
          records: await listRecordKeys(trx, zone.id, few),
          zones: await listZonesBelow(trx, zone.name),
        }
      : await listFew(trx, zone.id, few, zoneNames);
  const all = [first.records];
  for (let from = NAMES_PER_STATEMENT; from < names.length; from += NAMES_PER_STATEMENT) {
    all.push(await listRecordKeys(trx, zone.id, names.slice(from, from + NAMES_PER_STATEMENT)));
  }
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

/** A row is a record or, without a type, a zone whose version is in `octets`. */
type NeighbourRow = RecordKeyRow | { id: string; name: string; type: null; octets: number };

async function listFew(
  trx: Database,
  zoneId: string,
  recordNames: readonly string[],
  zoneNames: readonly string[],
): Promise<{ records: readonly RecordKey[]; zones: readonly ZoneOfName[] }> {
  const { rows } = await trx
    .raw<{ rows: NeighbourRow[] }>(
      `select ${RECORD_KEY_COLUMNS} from dns.records as r
        where r.domain_id = ? and r.name = any(?::text[])
       union all
       select d.id, d.name, null, null, null, d.apex_version
         from dns.domains as d
        where d.name = any(?::text[]) and d.deleted_at is null`,
      [zoneId, [...recordNames], [...new Set(zoneNames)]],
    )
    .options({ name: 'list-neighbours' });
  return {
    records: rows.filter((row): row is RecordKeyRow => row.type !== null).map(fromKeyRow),
    zones: rows
      .filter(({ type }) => type === null)
      .map(({ name, octets }) => ({ name, apexVersion: octets })),
  };
}
