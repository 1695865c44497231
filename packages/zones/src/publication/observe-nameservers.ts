import type { Database } from '@zonewright/database';
import type { StatusReader } from './status-reader.js';
import { isLive, type NameserverStatus } from './nameserver-status.js';
import { findOldestUnapplied } from './lag-store.js';

/** A nameserver as operators see it. */
export interface ObservedNameserver extends NameserverStatus {
  readonly isLive: boolean;
  /** How old the oldest change may be that it does not answer with; 0: it answers with all. Undefined: see report. */
  readonly lagMs: number | undefined;
}

/** All nameservers, in the order of their list. */
export async function observeNameservers(
  db: Database,
  statuses: StatusReader,
): Promise<ObservedNameserver[]> {
  const servers = await statuses.read();
  const oldest = await findOldestUnapplied(db);
  return servers.map((server) => ({
    ...server,
    isLive: isLive(server),
    lagMs: lagOf(server, oldest),
  }));
}

/**
 * Returns the lag of a nameserver. A zone that changes repeatedly has only its last change, so the time since the last read
 * counts, too. It increases while the nameserver hangs.
 */
function lagOf(
  { report }: NameserverStatus,
  oldest: ReadonlyMap<string, number>,
): number | undefined {
  if (report === undefined) return undefined;
  const unappliedMs = oldest.get(report.reporter);
  return unappliedMs === undefined ? 0 : Math.max(unappliedMs, report.readMsAgo);
}
