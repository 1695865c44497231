import type { Database } from '@zonewright/database';

/**
 * Returns the time in milliseconds since the oldest zone changed that a nameserver has not applied. Keys are the names that
 * nameservers report. Nameservers that have applied all changes are not in it.
 */
export async function findOldestUnapplied(db: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.raw<{ rows: { name: string; age_ms: number }[] }>(
    `select s.name,
            coalesce(extract(epoch from now() -
              (select max(c.changed_at) from dns.zone_changes as c
                where c.domain_id = oldest.id and c.serial_after = oldest.serial))::float8 * 1000, 0) as age_ms
       from dns.nameserver_status as s,
            lateral (select d.id, d.serial from dns.domains as d
                      where d.changed_in >= s.applied_before
                        and not coalesce(pg_visible_in_snapshot(d.changed_in, s.horizon), false)
                      order by d.changed_in limit 1) as oldest`,
  );
  return new Map(rows.map(({ name, age_ms: age }) => [name, Math.max(0, age)]));
}
