import { byAge, type RetentionRule } from '@zonewright/database';
import type { ZoneRules } from '../request/rules.js';
import { removeChangesBefore, removeDeletedZones } from '../write/commit/retention-store.js';
import { historyBySize } from './history-by-size.js';
import { storedResponses } from './kept-answers.js';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface RetentionLimits {
  readonly rules: Pick<ZoneRules, 'undeleteDays'>;
  readonly retention: {
    readonly historyDays: number;
    /** Limit for each domain. */
    readonly historyMaxBytes: number;
    /** Limit for each tenant, unless it may have more active domains. */
    readonly maxDeletedDomains: number;
    readonly idempotencyHours: number;
    /** Limit for each tenant. */
    readonly idempotencyMaxBytes: number;
    readonly nameserverStatusDays: number;
    readonly zoneTaskDays: number;
    readonly zoneTransferDays: number;
  };
}

/** Returns the rules for all data that is removed by age (docs/operations/retention.md). */
export function retentionRules({ rules, retention }: RetentionLimits): readonly RetentionRule[] {
  return [
    historyBySize(retention.historyMaxBytes),
    historyByAge(retention.historyDays * DAY_MS),
    deletedDomains({
      keptMs: rules.undeleteDays * DAY_MS,
      most: retention.maxDeletedDomains,
    }),
    storedResponses({
      keptMs: retention.idempotencyHours * HOUR_MS,
      maxOctets: retention.idempotencyMaxBytes,
    }),
    oldZoneTasks(retention.zoneTaskDays * DAY_MS),
    oldZoneTransfers(retention.zoneTransferDays * DAY_MS),
    byAge({
      kind: 'nameserver-statuses',
      everyMs: HOUR_MS,
      keptMs: retention.nameserverStatusDays * DAY_MS,
      oldest: 'select min(s.heartbeat_at) as oldest from dns.nameserver_status as s',
      // The ring of a nameserver is removed together with its status, or later.
      remove: `
        with silent as (
          delete from dns.nameserver_status as s where s.heartbeat_at < :before returning s.name
        ), moments as (
          select p.name, p.slot from dns.nameserver_progress as p
           where p.applied_at < :before
             and not exists (select from dns.nameserver_status as s
                              where s.name = p.name and s.heartbeat_at >= :before)
           limit :limit
        ), gone as (
          delete from dns.nameserver_progress as p using moments
           where p.name = moments.name and p.slot = moments.slot returning p.name
        )
        select silent.name from silent union all select gone.name from gone`,
    }),
  ];
}

const EVERY_MS = 60 * 60 * 1_000;

/**
 * Removes old changes. All changes of one serial are removed together, so that nameservers and restore never see half
 * of a changeset. The last change of a zone is kept, since it shows when the zone reached its state. Ids increase with
 * time, so rows are read in their order.
 */
function historyByAge(keptMs: number): RetentionRule {
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
      const { last, removed } = await removeChangesBefore(trx, before, after);
      after = last ?? 0;
      return { removed, isDone: last === null };
    },
  };
}

/** Removes old exports and imports. An export can no longer be read then. */
function oldZoneTasks(keptMs: number): RetentionRule {
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

/** Removes transfer requests that nobody accepted, and the records of transfers that were completed long ago. */
function oldZoneTransfers(keptMs: number): RetentionRule {
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

/**
 * Purges a deleted domain with its records and history when it can no longer be restored, or when its tenant has
 * deleted many others since. Its position in the change feed becomes the minimum, below which readers must read
 * everything. A new domain with the same name gets a serial from the clock. A serial in the future must therefore pass
 * before the domain is purged.
 */
function deletedDomains(limits: {
  readonly keptMs: number;
  /** Maximum number for each tenant, or the number of active domains that the tenant may have if that is higher. */
  readonly most: number;
}): RetentionRule {
  const { keptMs, most } = limits;
  return {
    kind: 'deleted-domains',
    everyMs: 5 * MINUTE_MS,
    keptMs,
    oldest: `select min(d.deleted_at) as oldest from dns.domains as d where d.deleted_at is not null`,
    removeBatch: async (trx, now) => {
      const removed = await removeDeletedZones(trx, { now, keptMs, most });
      return { removed, isDone: removed === 0 };
    },
  };
}
