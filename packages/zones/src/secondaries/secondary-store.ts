import {
  APEX_OF_SECONDARY,
  type Database,
  queryReturning,
  queryRow,
  queryRows,
  type SealedSecret,
} from '@zonewright/database';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import type { PrimaryKey, Primary, Secondary, SoaNumbers } from './secondary.js';
import type { FaultReason } from './transfer-fault.js';

const STATE = `case when d.apex_version = ${APEX_OF_SECONDARY.answered} then 'answered' else 'withheld' end`;

const COLUMNS = `s.domain_id as "zoneId", s.primaries, s.serial,
  case when s.key_name is not null then json_build_object('name', s.key_name, 'algorithm', s.key_algorithm) end as key,
  ${STATE} as state, ${asTimestamp('s.transferred_at')} as "transferredAt",
  ${asTimestamp('s.refreshed_at')} as "refreshedAt", ${asTimestamp('s.next_at')} as "nextAt", s.failures, s.problem,
  case when s.problem is not null then s.reason end as reason`;

/** Returns undefined if the zone is not a secondary zone. */
export async function findSecondary(db: Database, zoneId: string): Promise<Secondary | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.secondaries as s join dns.domains as d on d.id = s.domain_id where s.domain_id = ?`,
    [zoneId],
  );
}

/** Replaces the primaries of a zone. The whole zone is requested from them at once. */
export async function putSecondary(
  trx: Database,
  zoneId: string,
  { primaries, key }: { readonly primaries: readonly Primary[]; readonly key: PrimaryKey | null },
  secret: SealedSecret | undefined,
): Promise<void> {
  await trx.raw(
    `insert into dns.secondaries as s (domain_id, primaries, key_name, key_algorithm, secret_sealed, secret_key_id)
     values (:zoneId, cast(:primaries as jsonb), :name, :algorithm, :sealed, :keyId)
     on conflict on constraint secondaries_pkey do update
        set primaries = excluded.primaries, key_name = excluded.key_name, key_algorithm = excluded.key_algorithm,
            secret_sealed = excluded.secret_sealed, secret_key_id = excluded.secret_key_id, serial = null,
            next_at = clock_timestamp(), failures = 0, problem = null, reason = null, held_by = null, held_until = null`,
    {
      zoneId,
      primaries: JSON.stringify(primaries),
      name: key?.name ?? null,
      algorithm: key?.algorithm ?? null,
      sealed: secret?.sealed ?? null,
      keyId: secret?.keyId ?? null,
    },
  );
}

/** Returns the stored secret, which is kept if none is given. */
export async function findSealedKey(
  trx: Database,
  zoneId: string,
): Promise<SealedSecret | undefined> {
  return await queryRow(
    trx,
    `select s.secret_sealed as sealed, s.secret_key_id as "keyId" from dns.secondaries as s
      where s.domain_id = ? and s.secret_sealed is not null`,
    [zoneId],
  );
}

export async function deleteSecondary(trx: Database, zoneId: string): Promise<void> {
  await trx.raw('delete from dns.secondaries as s where s.domain_id = ?', [zoneId]);
}

/** Schedules a refresh as soon as possible, after a NOTIFY of a primary or a request of the zone's owner. */
export async function hastenSecondary(trx: Database, zoneId: string): Promise<void> {
  await trx.raw(
    `update dns.secondaries as s
        set notified_at = clock_timestamp(),
            next_at = least(s.next_at, greatest(clock_timestamp(), s.refreshed_at + ${LEAST_BETWEEN}))
      where s.domain_id = ?`,
    [zoneId],
  );
}

/** Minimum interval between refreshes, however often a primary sends NOTIFY. */
const LEAST_BETWEEN = `interval '0.5 second'`;
/** Time after which another process takes over a zone if its process does not report. */
const HELD = `interval '30 seconds'`;

/** Zone that is due for a refresh, and the process that has claimed it. */
export interface DueSecondary {
  readonly zoneId: string;
  readonly name: string;
  readonly tenantId: string;
  readonly primaries: readonly Primary[];
  readonly keyName: string | null;
  readonly keyAlgorithm: string | null;
  readonly sealed: Buffer | null;
  readonly keyId: string | null;
  readonly serial: number | null;
  readonly failures: number;
  /** Null means the service's setting. */
  readonly maxRecords: number | null;
  readonly heldBy: string;
  /** Time of the claim. A NOTIFY that arrived later may be about a version that has not been seen. */
  readonly takenAt: Timestamp;
}

/** Claims due zones for a process. A tenant with enough transfers in progress waits. */
export async function claimDue(
  db: Database,
  { limit, busyTenants }: { readonly limit: number; readonly busyTenants: readonly string[] },
): Promise<DueSecondary[]> {
  return await queryRows(
    db,
    `with due as (
       select s.domain_id, d.name, d.tenant_id, q.max_domain_records
         from dns.secondaries as s
         join dns.domains as d on d.id = s.domain_id and d.deleted_at is null
         left join dns.quotas as q on q.tenant_id = d.tenant_id
        where s.next_at <= clock_timestamp() and (s.held_until is null or s.held_until < clock_timestamp())
          and d.tenant_id <> all(?::text[])
        order by s.next_at limit ? for update of s skip locked)
     update dns.secondaries as s
        set held_until = clock_timestamp() + ${HELD}, held_by = gen_random_uuid()
       from due where s.domain_id = due.domain_id
     returning s.domain_id as "zoneId", due.name, due.tenant_id as "tenantId", s.primaries,
               s.key_name as "keyName", s.key_algorithm as "keyAlgorithm", s.secret_sealed as sealed,
               s.secret_key_id as "keyId", s.serial, s.failures, due.max_domain_records as "maxRecords",
               s.held_by as "heldBy", ${asTimestamp('clock_timestamp()')} as "takenAt"`,
    [[...busyTenants], limit],
  );
}

type Held = Pick<DueSecondary, 'zoneId' | 'heldBy'>;
type Taken = Pick<DueSecondary, 'zoneId' | 'heldBy' | 'takenAt'>;

/** Returns false if another process has claimed the zone, it has other primaries, or it is deleted. */
export async function isStillClaimed(db: Database, { zoneId, heldBy }: Held): Promise<boolean> {
  const row = await queryRow(
    db,
    `update dns.secondaries as s set held_until = clock_timestamp() + ${HELD}
       from dns.domains as d
      where s.domain_id = ? and s.held_by = ? and d.id = s.domain_id and d.deleted_at is null
     returning s.domain_id`,
    [zoneId, heldBy],
  );
  return row !== undefined;
}

/**
 * Whether the process still holds its claim. It takes no lock: while a large zone is written, a lock would delay the
 * handling of NOTIFY.
 */
export async function isHeld(db: Database, { zoneId, heldBy }: Held): Promise<boolean> {
  const row = await queryRow(
    db,
    'select s.domain_id from dns.secondaries as s where s.domain_id = ? and s.held_by = ?',
    [zoneId, heldBy],
  );
  return row !== undefined;
}

/**
 * Notes that the zone equals its primary's version with this SOA. If a NOTIFY arrived in the meantime, the zone is
 * due at once.
 *
 * @returns false if another process has claimed the zone in the meantime
 */
export async function noteRefreshed(
  trx: Database,
  { zoneId, heldBy, takenAt }: Taken,
  { soa, isNew, nextSeconds }: { soa: SoaNumbers; isNew: boolean; nextSeconds: number },
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `update dns.secondaries as s
        set serial = :serial, refresh = :refresh, retry = :retry, expire = :expire,
            transferred_at = case when :isNew then clock_timestamp() else s.transferred_at end,
            refreshed_at = clock_timestamp(), failures = 0, problem = null, reason = null, held_by = null, held_until = null,
            next_at = case when s.notified_at > cast(:takenAt as timestamp) at time zone 'UTC' then clock_timestamp()
                           else clock_timestamp() + make_interval(secs => :nextSeconds) end
      where s.domain_id = :zoneId and s.held_by = :heldBy
     returning s.domain_id`,
    { zoneId, heldBy, takenAt, ...soa, isNew, nextSeconds },
  );
  return rows.length > 0;
}

interface RefreshFailure {
  readonly problem: string;
  readonly reason: FaultReason;
  readonly leastSeconds: number;
  /** Whether RETRY comes from the primary (RFC 1035 s3.3.13). Otherwise it has no meaning. */
  readonly isOfPrimary: boolean;
}

/**
 * Records a failure and the time of the next attempt, which is no later than the zone's expiry. @returns whether it has
 * expired
 */
export async function noteFailure(
  db: Database,
  { zoneId, heldBy }: Held,
  { problem, reason, leastSeconds, isOfPrimary }: RefreshFailure,
): Promise<{ readonly isExpired: boolean }> {
  const row = await queryRow<{ isExpired: boolean | null }>(
    db,
    `update dns.secondaries as s
        set failures = s.failures + 1, problem = ?, reason = ?, held_by = null, held_until = null,
            next_at = clock_timestamp() + least(make_interval(secs => greatest(?, case when ? then least(coalesce(s.retry, 0), 3600) end)),
              case when s.refreshed_at + make_interval(secs => s.expire) > clock_timestamp()
                then s.refreshed_at + make_interval(secs => s.expire) - clock_timestamp() end)
      where s.domain_id = ? and s.held_by = ?
     returning s.refreshed_at + make_interval(secs => s.expire) <= clock_timestamp() as "isExpired"`,
    [problem, reason, leastSeconds, isOfPrimary, zoneId, heldBy],
  );
  return { isExpired: row?.isExpired === true };
}

/** Returns the number of zones that cannot be transferred from their primaries, and an example. */
export async function findFailingSecondaries(
  db: Database,
): Promise<{ readonly count: number; readonly withheld: number; readonly example: string | null }> {
  return await queryReturning(
    db,
    `select count(*) as count, count(*) filter (where ${STATE} = 'withheld') as withheld,
            min(d.name || ': ' || s.problem) as example
       from dns.secondaries as s join dns.domains as d on d.id = s.domain_id and d.deleted_at is null
      where s.failures > 2`,
  );
}

/** Secondary zone with a primary at an address. */
export type Notifiable = Pick<
  DueSecondary,
  'zoneId' | 'keyName' | 'keyAlgorithm' | 'sealed' | 'keyId'
>;

/** NOTIFY with the zone and the source address. */
interface NotifySource {
  readonly name: string;
  readonly source: string;
}

/** Returns the key of a NOTIFY in the map of `findNotifiable`. */
export function keyOfNotify({ name, source }: NotifySource): string {
  return `${name} ${source}`;
}

/** Finds the zones of NOTIFY messages that come from an address of their primaries. */
export async function findNotifiable(
  db: Database,
  notifies: readonly NotifySource[],
): Promise<ReadonlyMap<string, Notifiable>> {
  if (notifies.length === 0) return new Map();
  const rows = await queryRows<Notifiable & NotifySource>(
    db,
    `select s.domain_id as "zoneId", s.key_name as "keyName", s.key_algorithm as "keyAlgorithm",
            s.secret_sealed as sealed, s.secret_key_id as "keyId", n.name, n.source
       from (select distinct name, source from unnest(?::text[], ?::text[]) as n (name, source)) as n
       join dns.domains as d on d.name = n.name and d.deleted_at is null
       join dns.secondaries as s on s.domain_id = d.id
      where exists (select from jsonb_array_elements(s.primaries) as p
                     where cast(p ->> 'address' as inet) = cast(n.source as inet))`,
    [notifies.map(({ name }) => name), notifies.map(({ source }) => source)],
  );
  return new Map(rows.map((row) => [keyOfNotify(row), row]));
}

/** Secondary zone in a list for all tenants. */
export interface SecondaryProgress extends Secondary {
  readonly name: string;
  readonly tenantId: string;
}

/** Lists secondary zones. The zone that has failed longest comes first. */
export async function listSecondaries(db: Database): Promise<SecondaryProgress[]> {
  return await queryRows(
    db,
    `select ${COLUMNS}, d.name, d.tenant_id as "tenantId"
       from dns.secondaries as s join dns.domains as d on d.id = s.domain_id and d.deleted_at is null
      order by s.failures desc, d.name`,
  );
}
