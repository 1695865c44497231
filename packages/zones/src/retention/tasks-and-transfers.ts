import { byAge, type RetentionRule } from '@zonewright/database';

const EVERY_MS = 60 * 60 * 1_000;

/** Exports and imports that are long over; an export can no longer be read then. */
export function oldZoneTasks(keptMs: number): RetentionRule {
  return byAge({
    kind: 'zone-tasks',
    everyMs: EVERY_MS,
    keptMs,
    oldest: 'select min(t.created_at) as oldest from dns.zone_tasks as t',
    remove: `
      delete from dns.zone_tasks as t
       where t.id in (select o.id from dns.zone_tasks as o where o.created_at < :before
                       order by o.created_at limit :limit)
      returning t.id`,
  });
}

/** Removes transfer requests that nobody accepted, and records of zones that changed hands long ago. */
export function oldZoneTransfers(keptMs: number): RetentionRule {
  return byAge({
    kind: 'zone-transfers',
    everyMs: EVERY_MS,
    keptMs,
    oldest:
      'select min(coalesce(t.accepted_at, t.created_at)) as oldest from dns.zone_transfers as t',
    remove: `
      delete from dns.zone_transfers as t
       where t.id in (select o.id from dns.zone_transfers as o where coalesce(o.accepted_at, o.created_at) < :before
                       order by coalesce(o.accepted_at, o.created_at) limit :limit for update skip locked)
      returning t.id`,
  });
}
