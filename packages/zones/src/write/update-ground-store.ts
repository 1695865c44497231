import { APEX, type Database, type FeedApex } from '@zonewright/database';
import { ancestorsOf, type RecordTypeName } from '@zonewright/dns-records';
import { LOCKED_ZONE_COLUMNS, type LockedZoneRow, toLockedZone } from '../rows/zone-store.js';
import type { LockedZone } from '../rows/zone.js';
import { RECORD_TABLES, type RecordKey } from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordFlags } from '../rows/record-flags.js';
import type { SigningState } from '../rows/signing-state.js';
import { asTimestamp, NamedStatement } from '../rows/statements.js';
import type { ChildZone } from '../checks/future-names.js';
import { toChildZones } from './neighbour-store.js';

/** The state of a zone that changes need. */
export interface ZoneNeeds {
  readonly zoneId: string;
  readonly tenantId: string;
  /** Names of records. */
  readonly names: readonly string[];
  /** Ids of records and recordsets. The other records at their names are read, too. */
  readonly recordIds: readonly string[];
  readonly recordsetIds: readonly string[];
  /** The tenant that owns the idempotency keys. */
  readonly payerId: string;
  readonly keys: readonly string[];
}

/** A stored response under an idempotency key. */
interface KeptUpdate {
  readonly requestDigest: Buffer;
  /** The transaction that stored the response. */
  readonly givenIn: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Everything that the changes of a zone need, as it was at one moment: the data at the requested names, and at the
 * names of the requested records.
 */
export interface ReadSet {
  readonly zone: LockedZone;
  /**
   * The version of the zone's row. It changes if the zone changes, or if the zone is locked because of a zone below it.
   */
  readonly rowVersion: string;
  /** The transaction of the last change. */
  readonly changedIn: string;
  /** The requested names, and those of the requested recordsets. The names above them were read, too. */
  readonly names: ReadonlySet<string>;
  /** The served records at the names, the oldest first. */
  readonly records: readonly ZoneRecord[];
  /** Requested records that are disabled. They are read only if the zone is locked. */
  readonly disabled: readonly ZoneRecord[];
  /** The DNAME records at and above the names. */
  readonly dnames: readonly RecordKey[];
  /** The existing zones among the names. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
  readonly kept: ReadonlyMap<string, KeptUpdate>;
  /** Undefined if primaries provide the apex records. */
  readonly apex: FeedApex | undefined;
  /** The signing state, with the version of its row; undefined if the zone is not signed. */
  readonly signing: SigningOfGround | undefined;
}

/**
 * All values but the numbers are texts, octets in hexadecimal: parsing JSON takes a fraction of the time that rows
 * take.
 */
type GroundRecord = readonly [
  id: string,
  name: string,
  type: RecordTypeName,
  data: string,
  rdata: string,
  digest: string,
  ttl: number | null,
  priority: number | null,
  description: string | null,
  version: number,
  createdAt: string,
  updatedAt: string | null,
  flags: RecordFlags | null,
];

interface SigningOfGround {
  readonly state: SigningState;
  readonly rowVersion: string;
}

interface GroundRow extends LockedZoneRow {
  /** The zone's index in the request. */
  readonly at: number;
  readonly rowVersion: string;
  readonly changedIn: string;
  readonly setNames?: readonly string[];
  /** Null if there are more records than may be read at once. */
  readonly records: readonly GroundRecord[] | null;
  readonly disabled?: readonly GroundRecord[];
  readonly dnames: readonly (readonly [
    id: string,
    name: string,
    digest: string,
    ttl: number | null,
    octets: number,
  ])[];
  readonly zones: readonly (readonly [name: string, apexVersion: number])[];
  readonly kept: readonly (readonly [
    key: string,
    digest: string,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    givenIn: string | null,
  ])[];
  readonly apex: FeedApex | null;
  readonly signing: readonly [state: SigningState, rowVersion: string] | null;
}

/**
 * The limits of one statement. A single name could have all records of a domain, and each change at this name would
 * read them.
 */
const MOST_RECORDS = 2_000;
const MOST_OCTETS = 1_000_000;

const WANTED = `jsonb_to_recordset(cast(:wanted as jsonb))
      as w (at integer, "zoneId" uuid, "tenantId" text, names text[], "zoneNames" text[], "recordIds" uuid[],
            "recordsetIds" uuid[], "payerId" text, keys text[])`;
const byRecord = (table: string) => `union
  select o.name from unnest(w."recordIds") as i (id)
   cross join lateral (select r.domain_id, r.name from ${table} as r where r.id = i.id offset 0) as o
   where o.domain_id = w."zoneId"`;
const DISABLED = `dns.disabled_records as r where r.id = any(w."recordIds") and r.domain_id = w."zoneId"`;
const SETS = `
  sets as materialized (
    select o.name from unnest(w."recordsetIds") as i (id)
     cross join lateral (select r.domain_id, r.name from dns.records as r
                          where dns.recordset_id(r.domain_id, r.name, r.type) = i.id limit 1) as o
     where o.domain_id = w."zoneId"),`;
/** The requested names and those of the recordsets, with all names above them. */
const ABOVE_ALL = `w."zoneNames" || array(
  select substr(s.name, p.at) from sets as s
   cross join lateral generate_series(1, length(s.name) - 1) as p (at)
   where p.at = 1 or substr(s.name, p.at - 1, 1) = '.')`;
const asJson = (from: string) => `
           (select coalesce(json_agg(json_build_array(r.id, r.name, r.type, r.data, encode(r.rdata, 'hex'),
                                     encode(r.rdata_digest, 'hex'), r.ttl, r.priority, r.description, r.version,
                                     ${asTimestamp('r.created_at')}, ${asTimestamp('r.updated_at')}, r.flags)
                                   order by r.created_at, r.id), '[]') from ${from})`;
const IS_FEW = `(select count(*) <= :mostRecords and coalesce(sum(octet_length(r.data)), 0) <= :mostOctets from found as r)`;

/**
 * Each zone and each name is read through its index. PostgreSQL uses the index even if the table has not been analyzed,
 * or was empty when the plan was made. If no change moves a record, no zones above it are read.
 */
function toText(isBounded: boolean, hasRecordIds: boolean, hasRecordsetIds: boolean): string {
  const above = hasRecordsetIds ? ABOVE_ALL : 'w."zoneNames"';
  const tables = isBounded ? ['dns.records'] : RECORD_TABLES;
  const ifWanted = (isWanted: boolean, part: string) => (isWanted ? part : '');
  return `
  select w.at, ${LOCKED_ZONE_COLUMNS}, d."rowVersion", cast(d.changed_in as text) as "changedIn", n.*,
         (select coalesce(json_agg(json_build_array(k.idempotency_key, encode(k.request_digest, 'hex'), k.status, k.headers, k.body, cast(k.changed_in as text))), '[]')
            from dns.idempotency_keys as k where k.tenant_id = w."payerId" and k.idempotency_key = any(w.keys)) as kept,
         (select ${APEX} from dns.apex_versions as t where t.version = d.apex_version) as apex,
         (select json_build_array(z.state, cast(z.xmin as text)) from dns.zone_dnssec as z where z.domain_id = d.id) as signing
    from ${WANTED}
   cross join lateral (select d.*, cast(d.xmin as text) as "rowVersion" from dns.domains as d
                        where d.id = w."zoneId" and d.tenant_id = w."tenantId" and d.deleted_at is null offset 0) as d
    left join lateral (select * from dns.quotas as q where q.tenant_id = d.tenant_id offset 0) as q on true
   cross join lateral (
    with ${ifWanted(hasRecordsetIds, SETS)} found as materialized (
      select r.*
        from (select unnest(w.names) as name
              ${ifWanted(hasRecordIds, tables.map(byRecord).join(' '))}
              ${ifWanted(hasRecordsetIds, 'union select s.name from sets as s')}) as n
       cross join lateral (select * from dns.records as r where r.domain_id = w."zoneId" and r.name = n.name
                            order by r.type, r.rdata_digest offset 0) as r
       ${ifWanted(isBounded, `limit :mostRecords + 1`)})
    select ${ifWanted(hasRecordsetIds, `(select coalesce(json_agg(s.name), '[]') from sets as s) as "setNames",`)}
           case when ${isBounded ? IS_FEW : 'true'} then ${asJson('found as r')} end as records,
           ${ifWanted(hasRecordIds && !isBounded, `${asJson(DISABLED)} as disabled,`)}
           (select coalesce(json_agg(json_build_array(r.id, r.name, encode(r.rdata_digest, 'hex'), r.ttl, octet_length(r.rdata))), '[]')
              from unnest(${above}) as n (name)
             cross join lateral (select * from dns.records as r
                                  where r.domain_id = w."zoneId" and r.name = n.name and r.type = 'DNAME' offset 0) as r) as dnames,
           (select coalesce(json_agg(json_build_array(c.name, c.apex_version)), '[]')
              from dns.domains as c where c.name = any(${above}) and c.deleted_at is null) as zones) as n`;
}

const statements = new Map<string, NamedStatement>();

/**
 * Returns the variant of the statement without the parts that are not needed, because even an empty part takes some
 * microseconds.
 */
function statementOf(isBounded: boolean, wanted: readonly ZoneNeeds[]) {
  const hasRecordIds = wanted.some(({ recordIds }) => recordIds.length > 0);
  const hasRecordsetIds = wanted.some(({ recordsetIds }) => recordsetIds.length > 0);
  const ids = `${hasRecordIds ? '-by-record' : ''}${hasRecordsetIds ? '-by-set' : ''}`;
  const name = `${isBounded ? 'update' : 'held'}-ground${ids}`;
  const known =
    statements.get(name) ??
    new NamedStatement(name, toText(isBounded, hasRecordIds, hasRecordsetIds));
  statements.set(name, known);
  return known;
}

/**
 * Reads zones in one round trip.
 *
 * @param isHeld whether the zones are locked and all data is read, regardless of its size
 * @returns for each zone undefined if the tenant has no such zone, or `much` if the names have more data than may be
 * read at once
 */
export async function readReadSets(
  db: Database,
  all: readonly ZoneNeeds[],
  isHeld = false,
): Promise<readonly (ReadSet | 'much' | undefined)[]> {
  const rows = await statementOf(!isHeld, all).run<GroundRow>(db, {
    wanted: JSON.stringify(
      all.map((wanted, at) => ({ at, ...wanted, zoneNames: namesAbove(wanted) })),
    ),
    mostRecords: Math.ceil(MOST_RECORDS / all.length),
    mostOctets: Math.ceil(MOST_OCTETS / all.length),
  });
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  return all.map((wanted, at) => {
    const row = byPlace.get(at);
    return row && toReadSet(wanted, row);
  });
}

function namesAbove({ names }: ZoneNeeds): string[] {
  return [...new Set(names.flatMap((name) => [name, ...ancestorsOf(name)]))];
}

function toReadSet({ zoneId, names }: ZoneNeeds, row: GroundRow): ReadSet | 'much' {
  const { records, disabled = [], setNames = [], dnames, zones, kept, apex, signing } = row;
  if (records === null) return 'much';
  return {
    zone: withSigning(toLockedZone(row), signing),
    rowVersion: row.rowVersion,
    changedIn: row.changedIn,
    names: new Set([...names, ...setNames]),
    records: records.map((each) => toRecord(zoneId, each)),
    disabled: disabled.map((each) => toRecord(zoneId, each)),
    dnames: dnames.map(([id, name, digest, ttl, octets]) => ({
      ...{ id, name, ttl, type: 'DNAME', rdata: { length: octets } },
      digest: Buffer.from(digest, 'hex'),
    })),
    // The zone's own name and those above it are not below the zone.
    childZones: toChildZones(
      zones
        .filter(([name]) => name.length > row.name.length)
        .map(([name, apexVersion]) => ({ name, apexVersion })),
    ),
    kept: new Map(
      kept.map(([key, digest, status, headers, body, givenIn]) => [
        key,
        { requestDigest: Buffer.from(digest, 'hex'), status, headers, body, givenIn },
      ]),
    ),
    apex: apex ?? undefined,
    signing: signing === null ? undefined : { state: signing[0], rowVersion: signing[1] },
  };
}

function withSigning(zone: LockedZone, signing: GroundRow['signing']): LockedZone {
  return { ...zone, signingState: signing?.[0] ?? null };
}

function toRecord(zoneId: string, row: GroundRecord): ZoneRecord {
  const [
    id,
    name,
    type,
    data,
    rdata,
    digest,
    ttl,
    priority,
    description,
    version,
    createdAt,
    updatedAt,
    flags,
  ] = row;
  return {
    ...{ id, zoneId, name, type, data, ttl, priority, description, version, createdAt, updatedAt },
    flags: flags ?? undefined,
    rdata: Buffer.from(rdata, 'hex'),
    digest: Buffer.from(digest, 'hex'),
  };
}
