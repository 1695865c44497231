import {
  announceZoneChange,
  type Database,
  type FeedApex,
  queryReturning,
  queryRow,
  queryRows,
  SERVICE_SETTINGS,
  type SoaTimes,
} from '@zonewright/database';
import { readSettings } from '@zonewright/service-kit';
import { hasTable } from '../sql/has-column.js';
import { listServers } from '../nameservers/nameserver-store.js';

/** What the service provides at the apex of a zone, as it belongs to its serial (ADR 0025). */
export async function getZoneApex(db: Database, zoneId: string): Promise<FeedApex> {
  if (!(await hasApexVersions(db))) {
    const servers = (await listServers(db)).map(({ name }) => name);
    return { servers, soa: readSettings(SERVICE_SETTINGS, {}).soa };
  }
  const { servers, ...soa } = await queryReturning<{ servers: readonly string[] } & SoaTimes>(
    db,
    `select v.servers, v.soa_refresh as "refreshSeconds", v.soa_retry as "retrySeconds",
            v.soa_expire as "expireSeconds", v.soa_minimum as "minimumSeconds"
       from dns.domains as d join dns.apex_versions as v on v.version = d.apex_version
      where d.id = ?`,
    [zoneId],
  );
  return { servers, soa };
}

/** Not before migration 0018. */
export async function hasApexVersions(db: Database): Promise<boolean> {
  return await hasTable(db, 'apex_versions');
}

const LATEST = '(select max(v.version) from dns.apex_versions as v)';

/** Those that have not the latest version with their serial, from the index of versions. */
const OUTDATED = `d.deleted_at is null and d.apex_version < ${LATEST}`;

export interface ApexProgress {
  readonly latest: number;
  /** Living zones with an earlier version. */
  readonly outdated: number;
  /** Since zones were last raised; null: never. */
  readonly raisedSecondsAgo: number | null;
  /** Since there has been something to do. */
  readonly latestSecondsAgo: number;
}

export async function readApexProgress(db: Database): Promise<ApexProgress> {
  return await queryReturning<ApexProgress>(
    db,
    `select l.version as latest, extract(epoch from now() - l.created_at)::float8 as "latestSecondsAgo",
            extract(epoch from now() - r.raised_at)::float8 as "raisedSecondsAgo",
            (select count(*) from dns.domains as d where ${OUTDATED}) as outdated
       from (select v.version, v.created_at from dns.apex_versions as v order by v.version desc limit 1) as l,
            dns.apex_rollout as r`,
  );
}

/** The latest version, if some zone has an earlier one. */
export async function findVersionToRaise(db: Database): Promise<number | undefined> {
  const row = await queryRow<{ version: number }>(
    db,
    `select ${LATEST} as version where exists (select from dns.domains as d where ${OUTDATED})`,
  );
  return row?.version;
}

/** Who gets it may raise zones, and nobody else until then and for so long afterwards. */
export async function takeTurn(trx: Database, restMs: number): Promise<boolean> {
  const rows = await queryRows(
    trx,
    `update dns.apex_rollout as r
        set raised_at = clock_timestamp(), next_at = clock_timestamp() + make_interval(secs => ?::float8 / 1000)
       from (select o.is_only from dns.apex_rollout as o
              where o.next_at <= clock_timestamp() for update skip locked) as due
      where r.is_only = due.is_only
     returning r.is_only`,
    [restMs],
  );
  return rows.length > 0;
}

/** Some of those with an earlier version. One that is being written is left for later, and often needs it no more then. */
export async function lockOutdatedZones(trx: Database, limit: number): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    trx,
    `select d.id from dns.domains as d where ${OUTDATED}
      order by d.apex_version limit ? for no key update skip locked`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Wakes the nameservers, once for all zones that were raised. */
export async function announceRaised(trx: Database): Promise<void> {
  await announceZoneChange(trx, 'apex');
}
