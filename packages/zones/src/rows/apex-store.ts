import {
  announceZoneChange,
  type Database,
  queryReturning,
  queryRow,
  queryRows,
} from '@zonewright/database';

const LATEST = '(select max(v.version) from dns.apex_versions as v)';

/** Condition for zones without the latest apex version; it uses the index of versions. */
const OUTDATED = `d.deleted_at is null and d.apex_version < ${LATEST}`;

/**
 * Condition for zones whose serial can be increased without signing keys. The signer increases the serials of the
 * others.
 */
const IS_UNSIGNED = `not exists (select from dns.zone_dnssec as z where z.domain_id = d.id and z.state <> 'signing')`;

interface ApexProgress {
  readonly latest: number;
  /** Number of existing zones with an earlier version. */
  readonly outdated: number;
  /** Seconds since serials were last increased. Null if they never were. */
  readonly raisedSecondsAgo: number | null;
  /** Seconds since there has been a new version. */
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

/** Returns the latest version, if some zone has an earlier one. */
export async function findVersionToPublish(db: Database): Promise<number | undefined> {
  const row = await queryRow<{ version: number }>(
    db,
    `select ${LATEST} as version where exists (select from dns.domains as d where ${OUTDATED} and ${IS_UNSIGNED})`,
  );
  return row?.version;
}

/**
 * Acquires the right to increase serials, until the transaction ends. Returns false if another process has it or the
 * pause has not ended.
 */
export async function acquireRollout(trx: Database): Promise<boolean> {
  const turn = await queryRow(
    trx,
    `select o.is_only from dns.apex_rollout as o
      where o.next_at <= clock_timestamp() for no key update skip locked`,
  );
  return turn !== undefined;
}

/**
 * Sets the earliest time of the next increase: after `leastMs`, and after `restShare` times the duration of this
 * transaction.
 * @returns the pause in milliseconds
 */
export async function releaseRollout(
  trx: Database,
  leastMs: number,
  restShare: number,
): Promise<number> {
  const { restMs } = await queryReturning<{ restMs: number }>(
    trx,
    `update dns.apex_rollout as r
        set raised_at = clock_timestamp(), next_at = clock_timestamp() + rest.length
       from (select greatest(make_interval(secs => ?::float8 / 1000), ?::float8 * (clock_timestamp() - now())) as length) as rest
     returning extract(epoch from rest.length)::float8 * 1000 as "restMs"`,
    [leastMs, restShare],
  );
  return restMs;
}

/**
 * Locks some zones with an earlier version. Zones that are being written are left for later, and often no longer need
 * it then.
 */
export async function lockOutdatedZones(trx: Database, limit: number): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    trx,
    `select d.id from dns.domains as d where ${OUTDATED} and ${IS_UNSIGNED}
      order by d.apex_version limit ? for no key update skip locked`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Notifies the nameservers once for all zones with new serials. */
export async function announceRollout(trx: Database): Promise<void> {
  await announceZoneChange(trx, 'apex');
}
