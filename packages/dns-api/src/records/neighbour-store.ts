import type { Database } from '@zonewright/database';
import type { RecordKey } from './record-store.js';

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

/** Records and zones by name, in one round trip: each create and update of a record asks for both. */
export async function listNeighbours(
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
      [zoneId, [...new Set(recordNames)], [...new Set(zoneNames)]],
    )
    .options({ name: 'list-neighbours' });
  return {
    records: rows.filter((row): row is RecordKey => row.type !== null),
    zones: new Set(rows.filter(({ type }) => type === null).map(({ name }) => name)),
  };
}
