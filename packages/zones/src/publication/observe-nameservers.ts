import type { Database } from '@zonewright/database';
import { isLive, type NameserverStatus } from './nameserver-status.js';
import type { StatusReader } from './status-store.js';

/** Nameserver in the view of operators. */
export interface ObservedNameserver extends NameserverStatus {
  readonly isLive: boolean;
  /**
   * Age of the oldest change that it does not answer with, in milliseconds. 0 if it answers with all. Undefined without
   * a report.
   */
  readonly lagMs: number | undefined;
}

/** Lists all nameservers in order. */
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
 * Returns the lag of a nameserver. A zone that changes repeatedly shows only its last change, so the time since the
 * last read is also counted. It increases while the nameserver hangs.
 */
function lagOf(
  { report }: NameserverStatus,
  oldest: ReadonlyMap<string, number>,
): number | undefined {
  if (report === undefined) return undefined;
  const unappliedMs = oldest.get(report.reporter);
  return unappliedMs === undefined ? 0 : Math.max(unappliedMs, report.readMsAgo);
}

/**
 * Returns the time in milliseconds since the oldest zone changed that a nameserver has not applied, by the names that
 * nameservers report. Nameservers that have applied all changes are missing.
 */
async function findOldestUnapplied(db: Database): Promise<ReadonlyMap<string, number>> {
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
