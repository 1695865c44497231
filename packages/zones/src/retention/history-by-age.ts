import type { RetentionRule } from '@zonewright/database';
import { removeChangesBefore } from '../write/commit/remove-entries.js';

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
      const { last, removed } = await removeChangesBefore(trx, before, after);
      after = last ?? 0;
      return { removed, isDone: last === null };
    },
  };
}
