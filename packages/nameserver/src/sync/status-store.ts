import {
  CHANNELS,
  type Database,
  errorCode,
  type FeedHorizon,
  type FeedPosition,
  SQLSTATE,
} from '@zonewright/database';
import type { AppliedMoment } from './feed-status.js';

/** What the status row of a nameserver says (dns.nameserver_status). */
export interface NameserverStatus {
  readonly name: string;
  readonly address: string;
  readonly software: string;
  readonly version: string;
  readonly appliedBefore: FeedPosition;
  /** Undefined: nothing has been read yet. */
  readonly horizon: FeedHorizon | undefined;
  readonly failedZones: ReadonlyMap<string, number>;
  readonly zones: number;
  readonly imageOctets: number;
  readonly startedMsAgo: number;
  readonly readMsAgo: number;
  readonly appliedMsAgo: number;
  /** Moments at which zones changed, since this was last told. */
  readonly moments: readonly AppliedMoment[];
  /** By the clock of the moments. */
  readonly now: number;
}

/** Slots of a nameserver in dns.nameserver_progress: three minutes of as many readings as there can be, or of fewer ones hours. */
const PROGRESS_SLOTS = 30_000;
/** Beyond that something is wrong with all zones, and so it is told. */
const MAX_FAILED_ZONES = 1_000;
const EVERY_OTHER_ZONE = '*';

const UPSERT_STATUS = `
  insert into dns.nameserver_status as s
         (name, address, software, version, applied_before, horizon, failed_zones, zones, image_bytes,
          started_at, read_at, applied_at, heartbeat_at)
  values (:name, :address, :software, :version, cast(:appliedBefore as xid8), cast(:horizon as pg_snapshot),
          cast(:failedZones as jsonb), :zones, :imageOctets, now() - make_interval(secs => :startedAgo),
          now() - make_interval(secs => :readAgo), now() - make_interval(secs => :appliedAgo), now())
  on conflict (name) do update
     set address = excluded.address, software = excluded.software, version = excluded.version,
         applied_before = excluded.applied_before, horizon = excluded.horizon,
         failed_zones = excluded.failed_zones, zones = excluded.zones, image_bytes = excluded.image_bytes,
         started_at = excluded.started_at, read_at = excluded.read_at, applied_at = excluded.applied_at,
         heartbeat_at = excluded.heartbeat_at`;

const INSERT_PROGRESS = `
  insert into dns.nameserver_progress as p (name, slot, horizon, applied_at)
  select :name, (last.slot + m.number) % ${PROGRESS_SLOTS}, m.horizon, now() - make_interval(secs => m.ago)
    from unnest(cast(:horizons as pg_snapshot[]), cast(:agos as float8[])) with ordinality as m (horizon, ago, number),
         (select coalesce((select n.slot from dns.nameserver_progress as n
                            where n.name = :name order by n.applied_at desc limit 1), -1) as slot) as last
  on conflict (name, slot) do update set horizon = excluded.horizon, applied_at = excluded.applied_at`;

/** A status that is lost in a crash is written again within a second, so nobody waits for the disk. */
const SAVE_STATUS = `
  with status as (${UPSERT_STATUS}), progress as (${INSERT_PROGRESS})
  select pg_notify(:channel, :name), set_config('synchronous_commit', 'off', true)`;

/**
 * Writes the status row, and the moments at which zones changed, and tells the API. All times by the clock of
 * PostgreSQL, so that the rows of several servers can be compared.
 */
export async function saveNameserverStatus(db: Database, status: NameserverStatus): Promise<void> {
  try {
    await db.raw(SAVE_STATUS, toBindings(status)).options({ name: 'save-status' });
  } catch (error) {
    const code = errorCode(error);
    if (code !== SQLSTATE.undefinedColumn && code !== SQLSTATE.undefinedTable) throw error;
    await saveAsBefore(db, status);
  }
}

/** A nameserver that is newer than the schema (before migration 0004). */
async function saveAsBefore(db: Database, status: NameserverStatus): Promise<void> {
  await db.raw(
    `insert into dns.nameserver_status as s
       (name, address, software, applied_before, zones, image_bytes, started_at, applied_at, heartbeat_at)
     values (:name, :address, :software, cast(:appliedBefore as xid8), :zones, :imageOctets,
             now() - make_interval(secs => :startedAgo), now() - make_interval(secs => :appliedAgo), now())
     on conflict (name) do update
        set address = excluded.address, software = excluded.software, applied_before = excluded.applied_before,
            zones = excluded.zones, image_bytes = excluded.image_bytes, started_at = excluded.started_at,
            applied_at = excluded.applied_at, heartbeat_at = excluded.heartbeat_at`,
    toBindings(status),
  );
}

function toBindings(status: NameserverStatus) {
  const { name, address, software, version, appliedBefore, zones, imageOctets } = status;
  return {
    ...{ name, address, software, version, appliedBefore, zones, imageOctets },
    horizon: status.horizon ?? null,
    failedZones: renderFailedZones(status.failedZones),
    startedAgo: status.startedMsAgo / 1_000,
    readAgo: status.readMsAgo / 1_000,
    appliedAgo: status.appliedMsAgo / 1_000,
    horizons: status.moments.map(({ horizon }) => horizon),
    agos: status.moments.map(({ at }) => (status.now - at) / 1_000),
    channel: CHANNELS.nameserverStatus,
  };
}

function renderFailedZones(zones: ReadonlyMap<string, number>): string | null {
  if (zones.size === 0) return null;
  const all = [...zones];
  const told = all.slice(0, MAX_FAILED_ZONES);
  return JSON.stringify(
    Object.fromEntries(told.length < all.length ? [...told, [EVERY_OTHER_ZONE, 0]] : told),
  );
}
