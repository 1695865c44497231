import type { Database } from '../connection/connection.js';
import { errorCode, SQLSTATE } from '../connection/errors.js';
import { runPrepared } from '../connection/query.js';
import {
  DATABASE_IDENTITY,
  type FeedDatabase,
  type FeedHorizon,
  type FeedLineage,
  type FeedPosition,
  LINEAGE,
  secondaryState,
} from './position.js';
import { APEX, type FeedApex, type FeedChange, type FeedReading } from './read-feed.js';
import { HEAD_COLUMNS, type HeadColumns, HERE, toHead } from './read-head.js';
import {
  changedNamesOf,
  IS_OF_RECORDS,
  type JournalRow,
  MAX_ROWS,
} from '../journal/read-changed-names.js';
import type { FeedRecord } from './read-records.js';
import { ROWS_AT_ONCE } from './read-rows.js';
import { type FeedSignedName, isServedSigned } from './read-signed-names.js';
import { CURRENT_SETTINGS, type ServiceSettings } from '../service-settings/service-settings.js';

/** The position, horizon and lineage of a reader's last reading. */
export interface ReaderPosition {
  readonly position: FeedPosition;
  readonly horizon: FeedHorizon;
  readonly lineage: FeedLineage;
}

/** The maximum number of zones, existing or deleted, that one statement returns; more are read in batches. */
const MAX_ZONES = 100;

/** A record without its zone, with octets in hexadecimal: parsing JSON takes a fraction of the time that rows take. */
type NewsRecord = readonly [name: string, type: string, ttl: number | null, rdata: string];

interface NewsZone {
  readonly name: string;
  /** Null if the zone no longer exists; the members below are then null, too. */
  readonly domainId: string | null;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly recordCount: number;
  /** Null for a secondary zone. */
  readonly apex: FeedApex | null;
  readonly apexVersion: number | null;
  readonly records: readonly NewsRecord[];
  /**
   * Base serial of an incremental update; null for a full one. The records and the journal are then limited to the
   * changed names.
   */
  readonly since: number | null;
  readonly journal: readonly JournalRow[] | null;
  /** Names of a signed zone in canonical form, with their records in hexadecimal; null for other zones. */
  readonly signed: readonly (readonly [canonical: string, records: string])[] | null;
}

interface NewsRow extends HeadColumns {
  readonly lineage: string;
  readonly identity: FeedDatabase | null;
  readonly settings: ServiceSettings;
  /** Null if there are too many changes. */
  readonly news: readonly NewsZone[] | null;
}

/** The apex is always included, because its SOA contains the serial. */
const RECORDS = `
  case when z.since is not null then
  (select coalesce(json_agg(json_build_array(r.name, r.type, r.ttl, r.rdata)), '[]')
     from (select r.name, r.type, r.ttl, encode(r.rdata, 'hex') as rdata
             from (select z.name as name
                   union select c.before ->> 'name' from dns.zone_changes as c
                          where c.domain_id = z.id and c.serial_after > z.since and c.before is not null
                   union select c.after ->> 'name' from dns.zone_changes as c
                          where c.domain_id = z.id and c.serial_after > z.since and c.after is not null) as changed
             join dns.records as r on r.domain_id = z.id and r.name = changed.name
            order by r.name, r.type, r.rdata_digest limit ${ROWS_AT_ONCE + 1}) as r)
  else
  (select coalesce(json_agg(json_build_array(r.name, r.type, r.ttl, r.rdata)), '[]')
     from (select r.name, r.type, r.ttl, encode(r.rdata, 'hex') as rdata from dns.records as r
            where r.domain_id = z.id order by r.name, r.type, r.rdata_digest limit ${ROWS_AT_ONCE}) as r)
  end`;

const JOURNAL = `
  case when z.since is not null then
  (select coalesce(json_agg(json_build_object(
            'serialBefore', c.serial_before, 'serialAfter', c.serial_after, 'action', c.action,
            'nameBefore', c.before ->> 'name', 'nameAfter', c.after ->> 'name',
            'isOfRecords', ${IS_OF_RECORDS}) order by c.serial_after, c.id), '[]')
     from (select j.* from dns.zone_changes as j where j.domain_id = z.id and j.serial_after > z.since
            order by j.serial_after, j.id limit ${MAX_ROWS + 1}) as c)
  end`;

/**
 * Some names have only glue, and the apex may have only stored records, so the numbers of names and records are
 * similar.
 */
const SIGNED = `
  case when z.is_signed then
  (select coalesce(json_agg(json_build_array(encode(n.canonical, 'hex'), encode(n.records, 'hex')) order by n.canonical), '[]')
     from (select s.canonical, s.records from dns.signed_names as s where s.domain_id = z.id
            order by s.canonical limit ${ROWS_AT_ONCE + 1}) as n)
  end`;

/**
 * Changed zones by name, without those that the last reading has already shown. Within one lineage of a primary the
 * horizon determines these exactly. Otherwise all zones that changed since the position are returned. With `order by`
 * and `limit`, PostgreSQL uses the indexes for any values.
 */
const NEWS = {
  name: 'feed-news',
  text: `
  with here as materialized (${HERE}, ${LINEAGE} as lineage),
       recent as materialized (
         select d.name from dns.domains as d
          where d.changed_in >= cast($1 as xid8)
            and not ((select not here.is_standby and here.lineage = $2 from here)
                     and pg_visible_in_snapshot(d.changed_in, cast($3 as pg_snapshot)))
          order by d.changed_in limit ${MAX_ZONES + 1}),
       found as materialized (
         select changed.name, living.id, living.email, living.ttl, living.serial, living.record_count,
                living.apex_version,
                exists (select 1 from dns.zone_dnssec as s
                         where s.domain_id = living.id and ${isServedSigned('s')}) as is_signed
           from (select distinct recent.name from recent) as changed
           left join lateral
                (select d.id, d.email, d.ttl, d.serial, d.record_count, d.apex_version, d.deleted_at from dns.domains as d
                  where d.name = changed.name order by d.deleted_at nulls first limit 1) as living
                on living.deleted_at is null),
       zones as materialized (
         select found.*, case when not found.is_signed and found.record_count >= ${ROWS_AT_ONCE} then
                         (select k.serial from json_to_recordset(cast($4 as json)) as k ("domainId" uuid, serial bigint)
                           where k."domainId" = found.id) end as since
           from found)
  select ${HEAD_COLUMNS}, here.lineage, ${DATABASE_IDENTITY} as identity, ${CURRENT_SETTINGS} as settings,
         case when (select count(*) from recent) <= ${MAX_ZONES}
               and (select coalesce(sum(z.record_count), 0) from zones as z where z.since is null) < ${ROWS_AT_ONCE}
              then (select coalesce(json_agg(json_build_object(
                             'name', z.name, 'domainId', z.id, 'email', z.email, 'ttl', z.ttl, 'serial', z.serial,
                             'recordCount', z.record_count, 'records', ${RECORDS},
                             'signed', ${SIGNED}, 'since', z.since, 'journal', ${JOURNAL},
                             'apexVersion', z.apex_version,
                             'apex', (select ${APEX} from dns.apex_versions as t where t.version = z.apex_version)) order by z.name), '[]')
                      from zones as z)
         end as news
    from here`,
};

/** A zone whose given serial the reader already has, so that its changes are enough. */
export interface CachedZone {
  readonly domainId: string;
  readonly serial: number;
}

/** Thrown when a caller asks for more of a zone than was read, which is only the changes since a serial. */
export class NotInChangesError extends Error {}

/**
 * Reads the changes since the last reading, with all their records, in one statement: one snapshot and one round trip.
 * If a large zone is in `known`, only the records at changed names are read. Returns undefined if there are many
 * changes, or the server does not report its lineage.
 */
export async function readFeedChanges(
  db: Database,
  { position, horizon, lineage }: ReaderPosition,
  known: readonly CachedZone[] = [],
): Promise<FeedReading | undefined> {
  try {
    const values = [position, lineage, horizon, JSON.stringify(known)];
    const [row] = await runPrepared<NewsRow>(db, NEWS, values);
    if (row?.news == null || !row.news.every(isWhole)) return undefined;
    return toReading(row, row.news);
  } catch (error) {
    // A managed server may refuse to report the lineage.
    if (errorCode(error) === SQLSTATE.insufficientPrivilege) return undefined;
    throw error;
  }
}

/** Returns whether a zone was read in full. A wrong count must not truncate the records. */
function isWhole(zone: NewsZone): boolean {
  const { domainId, recordCount, records, signed } = zone;
  if (domainId === null) return true;
  if (zone.since !== null) return records.length <= ROWS_AT_ONCE && namesOf(zone) !== undefined;
  return records.length === recordCount && (signed?.length ?? 0) <= ROWS_AT_ONCE;
}

/**
 * Returns the changed names of a zone that is read incrementally. Undefined if the journal cannot give them, or the
 * zone is read in full.
 */
function namesOf({ name, serial, since, journal }: NewsZone): ReadonlySet<string> | undefined {
  const names = since === null ? undefined : changedNamesOf(journal ?? [], since, serial);
  return names && new Set([name, ...names]);
}

function toReading(row: NewsRow, news: readonly NewsZone[]): FeedReading {
  const zones = new Map(news.map((zone) => [zone.domainId, zone]));
  return {
    ...toHead(row, {
      lineage: row.lineage,
      database: row.identity ?? undefined,
      settings: row.settings,
    }),
    changes: news.map(toChange),
    records: (domainIds) => {
      if (domainIds.some((id) => zones.get(id)?.since != null)) throw new NotInChangesError();
      return domainIds.map((id) =>
        (zones.get(id)?.records ?? []).map((each) => toRecord(id, each)),
      );
    },
    signedNames: (domainIds) =>
      domainIds
        .toSorted()
        .map((id) => (zones.get(id)?.signed ?? []).map((each) => toSignedName(id, each))),
    // Small zones have already been read in full.
    recordChanges: ({ domainId }, sinceSerial) => {
      const zone = zones.get(domainId);
      const names = zone?.since === sinceSerial ? namesOf(zone) : undefined;
      const records = zone?.records.map((each) => toRecord(domainId, each)) ?? [];
      return Promise.resolve(names && { names, records });
    },
  };
}

function toChange(zone: NewsZone): FeedChange {
  const { name, domainId, email, ttl, serial, recordCount, apexVersion, signed } = zone;
  if (domainId === null) return { name, zone: undefined };
  const apex = zone.apex ?? undefined;
  const isSigned = signed !== null;
  const secondary = secondaryState(apexVersion);
  return {
    name,
    zone: { domainId, name, email, ttl, serial, recordCount, apex, isSigned, secondary },
  };
}

function toSignedName(
  domainId: string,
  [canonical, records]: readonly [string, string],
): FeedSignedName {
  return {
    domainId,
    canonical: Buffer.from(canonical, 'hex'),
    records: Buffer.from(records, 'hex'),
  };
}

function toRecord(domainId: string, [name, type, ttl, rdata]: NewsRecord): FeedRecord {
  return { domainId, name, type, ttl, rdata: Buffer.from(rdata, 'hex') };
}
