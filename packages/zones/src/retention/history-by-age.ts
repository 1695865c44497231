import { BATCH_ROWS, type Database, type RetentionRule } from '@zonewright/database';

const EVERY_MS = 60 * 60 * 1_000;

/**
 * Removes old changes, all of one serial together, so that nameservers and restore never see half of a change. The last change
 * of a zone stays, since it tells when the zone reached its state. Ids rise with time, so rows are read in their order.
 */
export function historyByAge(keptMs: number): RetentionRule {
  let after = 0;
  return {
    kind: 'changes',
    everyMs: EVERY_MS,
    keptMs,
    oldest: `
      select c.changed_at as oldest from dns.zone_changes as c join dns.domains as d on d.id = c.domain_id
       where c.serial_after < d.serial order by c.id limit 1`,
    removeBatch: async (trx, now) => {
      const before = new Date(now.getTime() - keptMs);
      const { last, removed } = await removeStepsBefore(trx, before, after);
      after = last ?? 0;
      return { removed, isDone: last === null };
    },
  };
}

/** Looks at the next changes by id. @returns the last of them; null: the next ones are not old */
async function removeStepsBefore(
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
