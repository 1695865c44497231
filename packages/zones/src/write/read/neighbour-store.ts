import type { Database } from '@zonewright/database';
import type { Zone } from '../../rows/zone.js';
import { listZoneNamesBelow } from '../../rows/zone-store.js';
import { listRecordKeys, type RecordKey } from '../../rows/record-store.js';

/** What stands beside records that are written, as far as rules look at it. */
export interface Neighbours {
  /** The records of the zone at the names that were asked for. */
  readonly records: readonly RecordKey[];
  /** Those of the names that were asked for which are names of living zones. */
  readonly zones: ReadonlySet<string>;
}

interface NeighbourRow extends Omit<RecordKey, 'type'> {
  /** null: a zone of that name. */
  type: RecordKey['type'] | null;
}

export interface WantedNames {
  readonly recordNames: readonly string[];
  /** Undefined: all zones below the zone, of which there are as many as its tenant may have. */
  readonly zoneNames: readonly string[] | undefined;
}

/** So many names go into one statement. */
const NAMES_PER_STATEMENT = 10_000;

/** Records and zones by name; of few names in one round trip, since each create and update of a record asks for both. */
export async function listNeighbours(
  trx: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  { recordNames, zoneNames }: WantedNames,
): Promise<Neighbours> {
  const names = [...new Set(recordNames)];
  const { records, zones } = await listFew(trx, zone.id, {
    recordNames: names.slice(0, NAMES_PER_STATEMENT),
    zoneNames: zoneNames ?? (await listZoneNamesBelow(trx, zone.name)),
  });
  const all = [records];
  for (let from = NAMES_PER_STATEMENT; from < names.length; from += NAMES_PER_STATEMENT) {
    all.push(await listRecordKeys(trx, zone.id, names.slice(from, from + NAMES_PER_STATEMENT)));
  }
  return { records: all.flat(), zones };
}

async function listFew(
  trx: Database,
  zoneId: string,
  { recordNames, zoneNames }: { recordNames: readonly string[]; zoneNames: readonly string[] },
): Promise<Neighbours> {
  const { rows } = await trx
    .raw<{ rows: NeighbourRow[] }>(
      `select r.id, r.name, r.type, r.rdata_digest as digest, r.ttl from dns.records as r
        where r.domain_id = ? and r.name = any(?::text[])
       union all
       select d.id, d.name, null, null, null from dns.domains as d
        where d.name = any(?::text[]) and d.deleted_at is null`,
      [zoneId, [...recordNames], [...new Set(zoneNames)]],
    )
    .options({ name: 'list-neighbours' });
  return {
    records: rows.filter((row): row is RecordKey => row.type !== null),
    zones: new Set(rows.filter(({ type }) => type === null).map(({ name }) => name)),
  };
}
