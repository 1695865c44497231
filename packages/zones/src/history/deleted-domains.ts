import type { RetentionRule } from '@zonewright/database';
import { removeDeletedZones } from '../write/commit/retention-store.js';

const EVERY_MS = 5 * 60 * 1_000;

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
      const removed = await removeDeletedZones(trx, { now, keptMs, most });
      return { removed, isDone: removed === 0 };
    },
  };
}
