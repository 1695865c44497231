import { byAge, type RetentionRule } from '@zonewright/database';
import type { ZoneRules } from '../request/rules.js';
import { deletedDomains } from './deleted-domains.js';
import { historyByAge } from './history-by-age.js';
import { historyBySize } from './history-by-size.js';
import { storedResponses } from './kept-answers.js';
import { oldZoneTasks, oldZoneTransfers } from './tasks-and-transfers.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

interface RetentionLimits {
  readonly rules: Pick<ZoneRules, 'undeleteDays'>;
  readonly retention: {
    readonly historyDays: number;
    /** Limit per domain. */
    readonly historyMaxBytes: number;
    /** Limit per tenant, unless it may have more active domains. */
    readonly maxDeletedDomains: number;
    readonly idempotencyHours: number;
    /** Limit per tenant. */
    readonly idempotencyMaxBytes: number;
    readonly nameserverStatusDays: number;
    readonly zoneTaskDays: number;
    readonly zoneTransferDays: number;
  };
}

/** Everything that is removed by age (docs/operations/retention.md). */
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
      // The ring of a nameserver is removed with its status, or after it.
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
