import { type Database, queryRows } from '@zonewright/database';

/** A change of a zone or of one of its records, as the journal has it. */
export interface RecentChange {
  readonly transaction: string;
  readonly serial: number;
  /** null: of the zone. */
  readonly recordId: string | null;
  /** Name and type before and after; null where there was or is none. */
  readonly before: readonly [string, string] | null;
  readonly after: readonly [string, string] | null;
}

/** The last changes of a zone and its records, the latest first. */
export async function listRecentChanges(
  db: Database,
  zoneId: string,
  limit: number,
): Promise<RecentChange[]> {
  return await queryRows<RecentChange>(
    db,
    `select c.changed_in::text as transaction, c.serial_after as serial, c.record_id as "recordId",
            case when c.before is null then null else json_build_array(c.before ->> 'name', c.before ->> 'type') end as before,
            case when c.after is null then null else json_build_array(c.after ->> 'name', c.after ->> 'type') end as after
       from (select * from dns.zone_changes as j where j.domain_id = ?
              order by j.serial_after desc, j.id desc limit ?) as c`,
    [zoneId, limit],
  );
}
