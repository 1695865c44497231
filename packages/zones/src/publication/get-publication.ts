import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { describeMissingSerial } from '../history/history-store.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import type { Zone } from '../rows/zone.js';
import { findSecondary } from '../secondaries/secondary-store.js';
import { type TransferState, transferStateOf } from '../secondaries/transfer-fault.js';
import { countServers, isApplied, isLive, type PublicationCount } from './nameserver-status.js';
import type { StatusReader } from './status-store.js';
import type { AwaitedChange } from '../rows/zone.js';

/** Progress of a change at each nameserver. */
export interface Publication {
  readonly serial: number;
  readonly change: AwaitedChange;
  readonly count: PublicationCount;
  readonly committedAt: Timestamp;
  readonly nameservers: readonly {
    readonly name: string;
    readonly isApplied: boolean;
    readonly isLive: boolean;
    /** Undefined if the change is not applied, or its time is no longer known. */
    readonly moment: AppliedMoment | undefined;
  }[];
  /** Undefined if this service stores the records of the zone. */
  readonly primaries: TransferState | undefined;
}

const MAX_SERIAL = 4_294_967_295;

/** @throws ServiceError `not-found` if the zone never had that serial, or had it too long ago */
export async function getPublication(
  { db, statuses }: { readonly db: Database; readonly statuses: StatusReader },
  zone: Zone,
  serial: number,
): Promise<Publication> {
  const found =
    serial <= MAX_SERIAL
      ? ((await findChangeBySerial(db, zone.id, serial)) ??
        (await findUnrecordedChange(db, zone.id, serial)))
      : undefined;
  if (found === undefined) {
    throw new ServiceError('not-found', await describeMissingSerial(db, zone.id, serial));
  }
  const change = { transaction: BigInt(found.transaction), zone: { name: zone.name, serial } };
  // Read the statuses first, so that every applied change has a time.
  const servers = await statuses.read();
  const moments = await listAppliedMoments(db, found);
  const secondary = await findSecondary(db, zone.id);
  return {
    serial,
    change,
    count: countServers(servers, change),
    committedAt: found.committedAt,
    primaries: secondary && transferStateOf(secondary),
    nameservers: servers.map((server) => {
      const hasApplied = isApplied(server, change);
      const reporter = server.report?.reporter;
      return {
        name: server.name,
        isApplied: hasApplied,
        isLive: isLive(server),
        moment: hasApplied && reporter !== undefined ? moments.get(reporter) : undefined,
      };
    }),
  };
}

/** Change with its time in the journal. */
interface CommittedChange {
  readonly transaction: string;
  readonly committedAt: Timestamp;
}

async function findChangeBySerial(
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
 * Finds the change to a serial that the journal does not contain: a changeset of the signer, or the current serial.
 * The transaction of a signer's changeset is not stored. Until another change follows, it is the last transaction of
 * the zone. Nameservers that answer with the next change have applied this one.
 */
async function findUnrecordedChange(
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

/** Time at which a nameserver started to answer with a change. */
interface AppliedMoment {
  readonly appliedAt: Timestamp;
  readonly delayMs: number;
}

/**
 * Lists the times by the name that each nameserver reports. A nameserver is missing if its ring does not reach back to
 * the change. The time is known only between a horizon without the change and one with it.
 */
async function listAppliedMoments(
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
