import { AHEAD_PAYLOAD_END, CHANNELS, type Database } from '@zonewright/database';

interface Report {
  /** The number of seconds since its last report. */
  readonly ageSeconds?: number;
  readonly failedZones?: Readonly<Record<string, number>>;
  readonly aheadZones?: Readonly<Record<string, number>>;
}

/** Adds six nameservers, ns1-1.ns.example. to ns1-6.ns.example. */
export async function addServers(db: Database): Promise<void> {
  await db.raw(
    `insert into dns.nameserver_domain (name, email, serial) values ('ns.example.', 'ops@ns.example', 1)`,
  );
  await db.raw(
    `insert into dns.servers (name, position, ipv4)
     select 'ns1-' || n || '.ns.example.', n, '192.0.2.1' from generate_series(1, 6) as n`,
  );
}

/**
 * Reports as a nameserver that has applied everything that is committed: writes its row, and sends the notification.
 */
export async function report(
  db: Database,
  number: number,
  { ageSeconds = 0, failedZones, aheadZones }: Report = {},
): Promise<void> {
  await db.raw(
    `with status as (
       insert into dns.nameserver_status as s
              (name, address, software, version, applied_before, horizon, failed_zones, ahead_zones, zones, image_bytes, started_at,
               read_at, applied_at, heartbeat_at)
       select :name, '127.0.0.1:53', 'test', '9.9.9',
              pg_snapshot_xmin(pg_current_snapshot()), pg_current_snapshot(),
              cast(:failedZones as jsonb), cast(:aheadZones as jsonb), 3, 1000, now(), now(), now(), now() - make_interval(secs => :age)
       on conflict (name) do update
          set applied_before = excluded.applied_before, horizon = excluded.horizon, version = excluded.version,
              failed_zones = excluded.failed_zones, ahead_zones = excluded.ahead_zones, heartbeat_at = excluded.heartbeat_at, read_at = excluded.read_at),
     progress as (
       insert into dns.nameserver_progress (name, slot, horizon, applied_at)
       select :name, coalesce((select max(slot) + 1 from dns.nameserver_progress where name = :name), 0),
              pg_current_snapshot(), now())
     select pg_notify(:channel, :payload)`,
    {
      name: `ns1-${number}`,
      age: ageSeconds,
      failedZones: failedZones === undefined ? null : JSON.stringify(failedZones),
      aheadZones: aheadZones === undefined ? null : JSON.stringify(aheadZones),
      payload: aheadZones === undefined ? `ns1-${number}` : `ns1-${number}${AHEAD_PAYLOAD_END}`,
      channel: CHANNELS.nameserverStatus,
    },
  );
}

/** Reports for all six nameservers, or for the given ones. */
export async function reportAll(db: Database, numbers = [1, 2, 3, 4, 5, 6]): Promise<void> {
  for (const number of numbers) await report(db, number);
}

/** Makes nameservers look silent, as if their last report were old. */
export async function silence(db: Database, numbers: readonly number[]): Promise<void> {
  await db.raw(
    `update dns.nameserver_status set heartbeat_at = now() - interval '11 s' where name = any(?::text[])`,
    [numbers.map((number) => `ns1-${number}`)],
  );
}
