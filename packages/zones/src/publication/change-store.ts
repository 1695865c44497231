import type { Database } from '@zonewright/database';
import { asTimestamp, type Timestamp } from '../sql/timestamps.js';

/** A change as the journal dates it. */
export interface CommittedChange {
  readonly transaction: string;
  readonly committedAt: Timestamp;
}

/** The change that led a zone to a serial. */
export async function findChangeBySerial(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<CommittedChange | undefined> {
  const { rows } = await db.raw<{ rows: { transaction: string; committed_at: Timestamp }[] }>(
    `select c.changed_in::text as transaction, ${asTimestamp('max(c.changed_at)')} as committed_at
       from dns.zone_changes as c
      where c.domain_id = ? and c.serial_after = ?
      group by c.changed_in`,
    [zoneId, serial],
  );
  return rows[0] && { transaction: rows[0].transaction, committedAt: rows[0].committed_at };
}

/**
 * Finds the change to a serial that the journal does not contain: a step of the signer, or the current serial. The transaction of
 * a signer's step is not stored. It is that of the zone until another change follows. Nameservers that answer with the next
 * change have applied this one.
 */
export async function findUnrecordedChange(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<CommittedChange | undefined> {
  const { rows } = await db.raw<{ rows: CommittedChange[] }>(
    `select coalesce((select c.changed_in from dns.zone_changes as c
                         where c.domain_id = d.id and c.serial_after > :serial
                         order by c.serial_after limit 1), d.changed_in)::text as transaction,
              ${asTimestamp('coalesce(s.signed_at, d.updated_at)')} as "committedAt"
         from dns.domains as d
         left join dns.signing_steps as s on s.domain_id = d.id and s.serial_after = :serial
        where d.id = :zoneId and (d.serial = :serial or s.serial_after is not null)`,
    { zoneId, serial },
  );
  return rows[0];
}

/** When a nameserver began to answer with a change. */
export interface AppliedMoment {
  readonly appliedAt: Timestamp;
  readonly delayMs: number;
}

/**
 * Lists the moments by the name that each nameserver reports. A nameserver is missing if its ring does not reach back to the
 * change. The moment is known only between a horizon without the change and one with it.
 */
export async function listAppliedMoments(
  db: Database,
  { transaction, committedAt }: CommittedChange,
): Promise<ReadonlyMap<string, AppliedMoment>> {
  const { rows } = await db.raw<{
    rows: { name: string; applied_at: Timestamp; delay_ms: number }[];
  }>(
    `select reporter.name, ${asTimestamp('first.applied_at')} as applied_at,
            greatest(0, round(extract(epoch from first.applied_at - change.committed_at) * 1000))::float8 as delay_ms
       from (select cast(:committedAt as timestamp) at time zone 'UTC' as committed_at) as change,
            (select distinct s.name from dns.nameserver_status as s) as reporter,
            lateral (select p.applied_at from dns.nameserver_progress as p
                      where p.name = reporter.name
                        -- A nameserver counts in milliseconds.
                        and p.applied_at >= change.committed_at - interval '2 ms'
                        and pg_visible_in_snapshot(cast(:transaction as xid8), p.horizon)
                      order by p.applied_at limit 1) as first
      where exists (select from dns.nameserver_progress as p
                     where p.name = reporter.name and p.applied_at < change.committed_at - interval '2 ms')`,
    { transaction, committedAt },
  );
  return new Map(
    rows.map((row) => [row.name, { appliedAt: row.applied_at, delayMs: row.delay_ms }]),
  );
}
