import { BATCH_ROWS, type Database, type RemovedBatch } from '@zonewright/database';

/** Removes a domain's oldest changesets, at most up to the given serial. */
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

/**
 * Examines the next changes by id and removes the old ones. @returns the id of the last one, or null if the next
 * changes are not old
 */
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

/**
 * Minimum age of a deleted domain that is purged early because its project has too many of them. By then the
 * nameservers have removed it.
 */
const LEAST_AGE_MS = 60 * 60 * 1_000;

/** Removes at least one domain, and further ones only if they have at most one batch of records in total. */
const REMOVE = `
  with tombstones as (
    select d.id, d.deleted_at, d.record_count, d.serial, d.changed_in,
           row_number() over (partition by d.tenant_id order by d.deleted_at desc, d.id) as place,
           greatest(:most, coalesce(q.max_domains, 0)) as most
      from dns.domains as d left join dns.quotas as q on q.tenant_id = d.tenant_id
     where d.deleted_at is not null
  ), due as (
    select t.id, sum(t.record_count + 20) over (order by t.deleted_at, t.id) - t.record_count as rows_before
      from tombstones as t
     where t.serial < extract(epoch from cast(:now as timestamptz))
       -- Otherwise no reader could get past the floor until the oldest transaction has ended.
       and t.changed_in < pg_snapshot_xmin(pg_current_snapshot())
       and (t.deleted_at < :before or (t.place > t.most and t.deleted_at < :settled))
  ), held as (
    select d.id, d.changed_in from dns.domains as d
     where d.id in (select due.id from due where due.rows_before <= :limit) and d.deleted_at is not null
       for update skip locked
  ), floor as (
    update dns.nameserver_domain as n
       set feed_floor = greatest(coalesce(n.feed_floor, '0'), (select max(held.changed_in) from held))
     where exists (select from held)
    returning n.is_only
  )
  delete from dns.domains as d using held, floor where d.id = held.id returning d.id`;

/**
 * Removes deleted zones with all their data: those that were deleted before `keptMs`, and those that exceed a tenant's
 * limit of `most`.
 */
export async function removeDeletedZones(
  trx: Database,
  { now, keptMs, most }: { readonly now: Date; readonly keptMs: number; readonly most: number },
): Promise<number> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(REMOVE, {
    now,
    before: new Date(now.getTime() - keptMs),
    settled: new Date(now.getTime() - LEAST_AGE_MS),
    most,
    limit: BATCH_ROWS,
  });
  return rows.length;
}
