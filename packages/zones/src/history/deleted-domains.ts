import { BATCH_ROWS, type Database, type RetentionRule } from '@zonewright/database';

const EVERY_MS = 5 * 60 * 1_000;
/** Minimum age. Nameservers have long removed the domain by then, so it can be purged if space is needed. */
const LEAST_AGE_MS = 60 * 60 * 1_000;

/**
 * Purges a deleted domain with its records and history when it can no longer be restored, or when its tenant has
 * deleted many others since. Its position in the change feed becomes the minimum, below which readers must read
 * everything. A new domain with the same name gets a serial from the clock. A serial in the future must therefore pass
 * before the domain is purged.
 */
export function deletedDomains(limits: {
  readonly keptMs: number;
  /** Maximum number for each tenant, or the number of active domains that the tenant may have if that is higher. */
  readonly most: number;
}): RetentionRule {
  const { keptMs, most } = limits;
  return {
    kind: 'deleted-domains',
    everyMs: EVERY_MS,
    keptMs,
    oldest: `select min(d.deleted_at) as oldest from dns.domains as d where d.deleted_at is not null`,
    removeBatch: async (trx, now) => {
      const removed = await removeTombstones(trx, { now, keptMs, most });
      return { removed, isDone: removed === 0 };
    },
  };
}

/** Removes at least one domain, and no more than have a batch of records in total. */
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

async function removeTombstones(
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
