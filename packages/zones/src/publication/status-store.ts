import { type Database, parseHorizon } from '@zonewright/database';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import type { NameserverStatus, StatusReport } from './nameserver-status.js';

interface StatusRow {
  name: string;
  ipv4: string | null;
  ipv6: string | null;
  /** Null, as are the following members, if it has never reported. */
  reporter: string | null;
  address: string;
  software: string;
  version: string;
  applied_before: string;
  horizon: string | null;
  failed_zones: Record<string, number> | null;
  ahead_zones: Record<string, number> | null;
  late_zones: Record<string, number> | null;
  zones: number;
  image_bytes: number;
  started_at: Timestamp;
  applied_at: Timestamp;
  heartbeat_at: Timestamp;
  read_ms_ago: number;
  heartbeat_ms_ago: number;
}

/**
 * Lists all nameservers in order, with their last report. A process has the name in the list of servers, with or
 * without the nameserver domain.
 */
async function listNameserverStatus(db: Database): Promise<NameserverStatus[]> {
  const { rows } = await db
    .raw<{ rows: StatusRow[] }>(
      `select s.name, host(s.ipv4) as ipv4, host(s.ipv6) as ipv6, r.name as reporter, r.address, r.software, r.zones, r.image_bytes,
              r.version, r.applied_before::text, r.horizon::text, nullif(r.failed_zones, 'null') as failed_zones, nullif(r.ahead_zones, 'null') as ahead_zones, nullif(r.late_zones, 'null') as late_zones,
              ${asTimestamp('r.started_at')} as started_at, ${asTimestamp('r.applied_at')} as applied_at,
              ${asTimestamp('r.heartbeat_at')} as heartbeat_at,
              extract(epoch from now() - r.read_at)::float8 * 1000 as read_ms_ago,
              extract(epoch from now() - r.heartbeat_at)::float8 * 1000 as heartbeat_ms_ago
         from dns.servers as s
         left join dns.nameserver_domain as d on right(s.name, length(d.name) + 1) = '.' || d.name
         left join lateral
              (select n.* from dns.nameserver_status as n
                where n.name in (s.name, rtrim(s.name, '.'), left(s.name, length(s.name) - length(d.name) - 1))
                order by n.heartbeat_at desc limit 1) as r on true
        order by s.position`,
    )
    .options({ name: 'list-nameserver-status' });
  return rows.map(({ name, ipv4, ipv6, ...row }) => ({
    name,
    ipv4,
    ipv6,
    report: toReport(row),
  }));
}

function toReport(row: Omit<StatusRow, 'name' | 'ipv4' | 'ipv6'>): StatusReport | undefined {
  if (row.reporter === null) return undefined;
  return {
    reporter: row.reporter,
    address: row.address,
    software: row.software,
    version: row.version,
    appliedBefore: row.applied_before,
    horizon: row.horizon === null ? undefined : parseHorizon(row.horizon),
    failedZones: row.failed_zones ?? {},
    aheadZones: row.ahead_zones ?? {},
    lateZones: row.late_zones ?? {},
    zones: row.zones,
    imageOctets: row.image_bytes,
    startedAt: row.started_at,
    appliedAt: row.applied_at,
    heartbeatAt: row.heartbeat_at,
    readMsAgo: Math.max(0, row.read_ms_ago),
    heartbeatMsAgo: Math.max(0, row.heartbeat_ms_ago),
  };
}

/**
 * Reads the status of the nameservers once for all concurrent callers. Calls during a read share the next one, so that
 * each sees the state at the time of its call.
 */
export class StatusReader {
  readonly #db: Database;
  #current: Promise<NameserverStatus[]> | undefined;
  #next: Promise<NameserverStatus[]> | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  read(): Promise<readonly NameserverStatus[]> {
    if (this.#current === undefined) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<NameserverStatus[]> {
    this.#next = undefined;
    const reading = listNameserverStatus(this.#db).finally(() => {
      if (this.#current === reading) this.#current = undefined;
    });
    this.#current = reading;
    return reading;
  }
}
