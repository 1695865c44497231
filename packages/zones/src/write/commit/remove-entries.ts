import { BATCH_ROWS, type Database, type RemovedBatch } from '@zonewright/database';

/** Removes the oldest steps of a domain, up to that serial at most. */
export async function removeChangesetsUpTo(
  trx: Database,
  zoneId: string,
  serial: number,
): Promise<RemovedBatch> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `delete from dns.zone_changes as c
      where c.domain_id = :zoneId
        and c.serial_after <= (select max(o.serial)
              from (select old.serial_after as serial from dns.zone_changes as old
                     where old.domain_id = :zoneId and old.serial_after <= :serial
                     order by old.serial_after, old.id limit :limit) as o)
      returning c.id`,
    { zoneId, serial, limit: BATCH_ROWS },
  );
  return { removed: rows.length, isDone: rows.length < BATCH_ROWS };
}

/** Looks at the next changes by id. @returns the last of them; null: the next ones are not old */
export async function removeChangesBefore(
  trx: Database,
  before: Date,
  after: number,
): Promise<{ last: number | null; removed: number }> {
  const { rows } = await trx.raw<{ rows: { last: number | null; removed: number }[] }>(
    `with looked_at as materialized (
       select c.id, c.domain_id, c.serial_after, c.changed_at from dns.zone_changes as c
        where c.id > :after order by c.id limit :limit
     ), old as (
       select l.domain_id, max(l.serial_after) as serial
         from looked_at as l join dns.domains as d on d.id = l.domain_id
        where l.changed_at < :before and l.serial_after < d.serial
        group by l.domain_id
     ), gone as (
       delete from dns.zone_changes as c using old
        where c.domain_id = old.domain_id and c.serial_after <= old.serial
        returning c.id
     )
     select (select count(*) from gone) as removed,
            case when count(*) = :limit and bool_or(l.changed_at < :before) then max(l.id) end as last
       from looked_at as l`,
    { after, before, limit: BATCH_ROWS },
  );
  return rows[0] ?? { last: null, removed: 0 };
}
