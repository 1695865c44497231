import { CHANNELS, type Database, queryReturning, queryRows } from '@zonewright/database';

/** Last status report of a nameserver process (dns.nameserver_status). */
export interface NameserverState {
  readonly name: string;
  /** Listening address as host:port. */
  readonly address: string;
  readonly zones: number;
  /** Seconds since its last report, by PostgreSQL's clock. */
  readonly silentSeconds: number;
  /** Number of recent changes, older than some seconds, that it has not applied. */
  readonly missing: number;
  /** Number of zones that it answers with changes that the database lost. */
  readonly ahead: number;
}

/** Newer changes may not be published yet. */
const LAG_SECONDS = 10;
const LOOKED_AT = 1_000;

/** Lists the states. A change counts as missing only if the position is after it: no open transaction precedes it. */
export async function listNameserverStates(db: Database): Promise<NameserverState[]> {
  return await queryRows<NameserverState>(
    db,
    `with recent as (
       select c.changed_in, c.changed_at from dns.zone_changes as c order by c.id desc limit ?
     )
     select s.name, s.address, s.zones, extract(epoch from now() - s.heartbeat_at)::float8 as "silentSeconds",
            (select count(*) from recent as c
              where c.changed_in >= s.applied_before and c.changed_at < now() - make_interval(secs => ?)
                and c.changed_in < pg_snapshot_xmin(pg_current_snapshot())) as missing,
            (select count(*) from jsonb_object_keys(coalesce(s.ahead_zones, '{}'))) as ahead
       from dns.nameserver_status as s order by s.name`,
    [LOOKED_AT, LAG_SECONDS],
  );
}

/** Lists settings of live nameservers that differ from the database. */
export async function listIgnoredSettings(
  db: Database,
): Promise<{ name: string; settings: string }[]> {
  return await queryRows(
    db,
    `select s.name, s.ignored_settings as settings from dns.nameserver_status as s
      where s.ignored_settings is not null and s.heartbeat_at > now() - make_interval(secs => ?)
      order by s.name`,
    [LAG_SECONDS],
  );
}

/**
 * Returns the last changed zones with their serials, to compare them with the answers of nameservers. The nameserver
 * domain has a separate serial.
 */
export async function listRecentZones(
  db: Database,
  limit: number,
): Promise<{ name: string; serial: number }[]> {
  return await queryRows(
    db,
    `select d.name, d.serial from dns.domains as d
      where d.deleted_at is null and not exists (select from dns.nameserver_domain as n where n.name = d.name)
        and coalesce(d.updated_at, d.created_at) < now() - make_interval(secs => ?)
      order by d.changed_in desc limit ?`,
    [LAG_SECONDS, limit],
  );
}

/** Nameserver that has rejected this database because of its identity (ADR 0020). */
interface Doubt {
  readonly name: string;
  readonly doubt: string;
  /** Database whose zones it serves. Null for one without an identity. */
  readonly databaseId: string | null;
}

/** Maximum age of a report. A nameserver may be restarting; an old report no longer counts. */
const SAID_WITHIN = "interval '1 hour'";

export async function listIdentityMismatches(db: Database): Promise<Doubt[]> {
  return await queryRows<Doubt>(
    db,
    `select s.name, s.doubt, s.database_id as "databaseId" from dns.nameserver_status as s
      where s.doubt is not null and s.heartbeat_at > now() - ${SAID_WITHIN} order by s.name`,
  );
}

/**
 * Makes nameservers trust this database instead of a given one, and notifies them when the transaction commits.
 *
 * @returns the id of this database
 */
export async function acceptDatabase(
  trx: Database,
  insteadOf: readonly string[],
): Promise<{ id: string; acceptedAt: Date }> {
  const accepted = await queryReturning<{ id: string; acceptedAt: Date }>(
    trx,
    `insert into dns.database_identity as i (acceptance, accepted_at, instead_of)
     values (gen_random_uuid(), now(), ?::uuid[])
     on conflict (is_only) do update
        set acceptance = excluded.acceptance, accepted_at = excluded.accepted_at, instead_of = excluded.instead_of
     returning i.id, i.accepted_at as "acceptedAt"`,
    [[...insteadOf]],
  );
  await trx.raw('select pg_notify(?, ?)', [CHANNELS.dns, 'accepted']);
  return accepted;
}
