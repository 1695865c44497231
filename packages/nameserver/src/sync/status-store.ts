import {
  AHEAD_PAYLOAD_END,
  CHANNELS,
  type Database,
  type FeedHorizon,
  type FeedPosition,
} from '@zonewright/database';
import type { AppliedMoment } from './feed-status.js';

/** Status row of a nameserver (dns.nameserver_status). */
export interface NameserverStatus {
  readonly name: string;
  readonly address: string;
  readonly software: string;
  readonly version: string;
  readonly appliedBefore: FeedPosition;
  /** Undefined if nothing has been read yet. */
  readonly horizon: FeedHorizon | undefined;
  readonly failedZones: ReadonlyMap<string, number>;
  /** Large zones that are being read, with the served serial, or 0 if there is none. */
  readonly lateZones: ReadonlyMap<string, number>;
  /** Zones with changes that the database lost, with the serial that their next version must exceed. */
  readonly aheadZones: ReadonlyMap<string, number>;
  readonly zones: number;
  readonly imageOctets: number;
  readonly startedMsAgo: number;
  readonly readMsAgo: number;
  readonly appliedMsAgo: number;
  /** Database whose zones are served. Undefined if it has no identity. */
  readonly databaseId: string | undefined;
  /** Reason why the database is not followed; undefined if it is. */
  readonly doubt: string | undefined;
  /** Settings in the nameserver's environment that differ from those in the database. Undefined if none differ. */
  readonly ignoredSettings: string | undefined;
  /** Times at which zones changed since the last report. */
  readonly moments: readonly AppliedMoment[];
  /** Current time, by the same clock as the moments. */
  readonly now: number;
}

/**
 * Number of slots for a nameserver in dns.nameserver_progress: three minutes with the maximum number of readings, or
 * hours with fewer.
 */
const PROGRESS_SLOTS = 30_000;
/** Maximum number of reported zones. If there are more, all zones are reported as failed. */
export const MAX_FAILED_ZONES = 1_000;
const EVERY_OTHER_ZONE = '*';

/** Features of this version that zones may need. */
const CAPABILITIES: readonly string[] = [
  'dnssec',
  'dnssec-algorithms',
  'secondary',
  'nsec3',
  'dname',
];

const COLUMNS: Readonly<Record<string, string>> = {
  name: ':name',
  address: ':address',
  software: ':software',
  version: ':version',
  capabilities: 'cast(:capabilities as text[])',
  ignored_settings: ':ignoredSettings',
  applied_before: 'cast(:appliedBefore as xid8)',
  horizon: 'cast(:horizon as pg_snapshot)',
  read_at: 'now() - make_interval(secs => :readAgo)',
  zones: ':zones',
  failed_zones: 'cast(:failedZones as jsonb)',
  ahead_zones: 'cast(:aheadZones as jsonb)',
  late_zones: 'cast(:lateZones as jsonb)',
  database_id: 'cast(:databaseId as uuid)',
  doubt: ':doubt',
  image_bytes: ':imageOctets',
  started_at: 'now() - make_interval(secs => :startedAgo)',
  applied_at: 'now() - make_interval(secs => :appliedAgo)',
  heartbeat_at: 'now()',
};
const NAMES = Object.keys(COLUMNS);

const UPSERT_STATUS = `
  insert into dns.nameserver_status (${NAMES.join(', ')})
  values (${Object.values(COLUMNS).join(', ')})
  on conflict (name) do update set ${NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const INSERT_PROGRESS = `
  insert into dns.nameserver_progress as p (name, slot, horizon, applied_at)
  select :name, (last.slot + m.number) % ${PROGRESS_SLOTS}, m.horizon, now() - make_interval(secs => m.ago)
    from unnest(cast(:horizons as pg_snapshot[]), cast(:agos as float8[])) with ordinality as m (horizon, ago, number),
         (select coalesce((select n.slot from dns.nameserver_progress as n
                            where n.name = :name order by n.applied_at desc limit 1), -1) as slot) as last
  on conflict (name, slot) do update set horizon = excluded.horizon, applied_at = excluded.applied_at`;

/** A status that is lost in a crash is written again within a second, so the statement does not wait for the disk. */
const SAVE_STATUS = `
  with status as (${UPSERT_STATUS}), progress as (${INSERT_PROGRESS})
  select pg_notify(:channel, :payload), set_config('synchronous_commit', 'off', true)`;

/**
 * Writes the status row and the times at which zones changed, and notifies the API. All times are by the clock of
 * PostgreSQL, so that the rows of several servers can be compared.
 */
export async function saveNameserverStatus(db: Database, status: NameserverStatus): Promise<void> {
  await db.raw(SAVE_STATUS, toBindings(status)).options({ name: 'save-status' });
}

function toBindings(status: NameserverStatus) {
  const { name, address, software, version, appliedBefore, zones, imageOctets } = status;
  return {
    ...{ name, address, software, version, appliedBefore, zones, imageOctets },
    horizon: status.horizon ?? null,
    databaseId: status.databaseId ?? null,
    doubt: status.doubt ?? null,
    ignoredSettings: status.ignoredSettings ?? null,
    capabilities: CAPABILITIES,
    failedZones: renderZones(status.failedZones),
    aheadZones: renderZones(status.aheadZones),
    lateZones: renderZones(status.lateZones),
    startedAgo: status.startedMsAgo / 1_000,
    readAgo: status.readMsAgo / 1_000,
    appliedAgo: status.appliedMsAgo / 1_000,
    horizons: status.moments.map(({ horizon }) => horizon),
    agos: status.moments.map(({ at }) => (status.now - at) / 1_000),
    channel: CHANNELS.nameserverStatus,
    payload: status.aheadZones.size > 0 ? `${name}${AHEAD_PAYLOAD_END}` : name,
  };
}

function renderZones(zones: ReadonlyMap<string, number>): string | null {
  if (zones.size === 0) return null;
  const all = [...zones];
  const told = all.slice(0, MAX_FAILED_ZONES);
  return JSON.stringify(
    Object.fromEntries(told.length < all.length ? [...told, [EVERY_OTHER_ZONE, 0]] : told),
  );
}
