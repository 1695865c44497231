import { APEX, type Database, type FeedApex } from '@zonewright/database';
import { ancestorsOf, type RecordTypeName } from '@zonewright/dns-records';
import {
  LOCKED_ZONE_COLUMNS,
  LOCKED_ZONE_TABLES,
  type LockedZoneRow,
  toLockedZone,
} from '../rows/zone-store.js';
import type { LockedZone } from '../rows/zone.js';
import { RECORD_TABLES, type RecordKey } from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordFlags } from '../rows/record-flags.js';
import type { SigningState } from '../rows/signing-state.js';
import { asTimestamp, NamedStatement } from '../rows/statements.js';
import type { ChildZone } from '../checks/future-names.js';
import { toChildZones } from './neighbour-store.js';

interface Wanted {
  readonly zoneId: string;
  readonly tenantId: string;
  /** Names of records. */
  readonly names: readonly string[];
  /** Ids of records and recordsets, at whose names others are read, too. */
  readonly recordIds: readonly string[];
  readonly recordsetIds: readonly string[];
  /** Owner of the idempotency keys. */
  readonly payerId: string;
  readonly keys: readonly string[];
}

/** An answer that was kept under a key. */
interface KeptUpdate {
  readonly requestDigest: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** All that changes of a zone look at, as it was at one moment: at the names that were asked for, and at those of the records that were. */
export interface ReadSet {
  readonly zone: LockedZone;
  /** Version of the zone's row. A change of the zone, or a lock of it for a zone below, changes the version. */
  readonly rowVersion: string;
  /** Names that were asked for, and those of the recordsets: what is above them was read, too. */
  readonly names: ReadonlySet<string>;
  /** Served records at the names, the oldest first. */
  readonly records: readonly ZoneRecord[];
  /** Records of the ids that are switched off, if the zone is held. */
  readonly disabled: readonly ZoneRecord[];
  /** DNAME records at the names and above. */
  readonly dnames: readonly RecordKey[];
  /** Living zones among the names. */
  readonly childZones: ReadonlyMap<string, ChildZone>;
  readonly kept: ReadonlyMap<string, KeptUpdate>;
  /** Undefined: primaries provide it. */
  readonly apex: FeedApex | undefined;
  /** How it is signed, and of which version of its row that is; undefined: it is not. */
  readonly signing: SigningOfGround | undefined;
}

/** Texts but for the numbers, octets in hexadecimal: JSON is parsed in a fraction of the time that rows take. */
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
  readonly rowVersion: string;
  readonly setNames?: readonly string[];
  /** null: more than is read at once. */
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
  ])[];
  readonly apex: FeedApex | null;
  readonly signing: readonly [state: SigningState, rowVersion: string] | null;
}

/** Limits of one read. One name may have all records of a domain, and each change at it would read them. */
const MOST_RECORDS = 2_000;
const MOST_OCTETS = 1_000_000;

/**
 * Hides the number of values from the planner. Otherwise it would make a plan for each call, which takes longer than the call,
 * instead of keeping one.
 */
const uncounted = (values: string) => `cast((select ${values}) as text[])`;
const byRecord = (table: string) => `union
  select o.name from unnest((select :recordIds::uuid[])) as i (id)
   cross join lateral (select r.domain_id, r.name from ${table} as r where r.id = i.id offset 0) as o
   where o.domain_id = :zoneId`;
const DISABLED = `dns.disabled_records as r where r.id = any(cast((select :recordIds) as uuid[])) and r.domain_id = :zoneId`;
const SETS = `
  sets as materialized (
    select o.name from unnest((select :recordsetIds::uuid[])) as i (id)
     cross join lateral (select r.domain_id, r.name from dns.records as r
                          where dns.recordset_id(r.domain_id, r.name, r.type) = i.id limit 1) as o
     where o.domain_id = :zoneId),`;
/** The names and those of the recordsets, with all above them. */
const ABOVE_ALL = `:zoneNames::text[] || array(
  select substr(s.name, p.at) from sets as s
   cross join lateral generate_series(1, length(s.name) - 1) as p (at)
   where p.at = 1 or substr(s.name, p.at - 1, 1) = '.')`;
const asJson = (from: string) => `
           (select coalesce(json_agg(json_build_array(r.id, r.name, r.type, r.data, encode(r.rdata, 'hex'),
                                     encode(r.rdata_digest, 'hex'), r.ttl, r.priority, r.description, r.version,
                                     ${asTimestamp('r.created_at')}, ${asTimestamp('r.updated_at')}, r.flags)
                                   order by r.created_at, r.id), '[]') from ${from})`;
const IS_FEW = `(select count(*) <= ${MOST_RECORDS} and coalesce(sum(octet_length(r.data)), 0) <= ${MOST_OCTETS} from found as r)`;

/**
 * Each name is read by the index that has the records of a name in this order. PostgreSQL uses it even if the table has not been
 * analyzed, or was empty when the plan was made. A change that does not move a record reads no zones above it.
 */
function toText(isBounded: boolean, hasRecordIds: boolean, hasRecordsetIds: boolean): string {
  const above = uncounted(hasRecordsetIds ? ABOVE_ALL : ':zoneNames::text[]');
  const tables = isBounded ? ['dns.records'] : RECORD_TABLES;
  const ifWanted = (isWanted: boolean, part: string) => (isWanted ? part : '');
  return `
  with ${ifWanted(hasRecordsetIds, SETS)} found as materialized (
    select r.*
      from (select unnest(${uncounted(':names::text[]')}) as name
            ${ifWanted(hasRecordIds, tables.map(byRecord).join(' '))}
            ${ifWanted(hasRecordsetIds, 'union select s.name from sets as s')}) as n
     cross join lateral (select * from dns.records as r where r.domain_id = :zoneId and r.name = n.name
                          order by r.type, r.rdata_digest offset 0) as r
     ${ifWanted(isBounded, `limit ${MOST_RECORDS + 1}`)})
  select ${LOCKED_ZONE_COLUMNS}, cast(d.xmin as text) as "rowVersion",
         ${ifWanted(hasRecordsetIds, `(select coalesce(json_agg(s.name), '[]') from sets as s) as "setNames",`)}
         case when ${isBounded ? IS_FEW : 'true'} then ${asJson('found as r')} end as records,
         ${ifWanted(hasRecordIds && !isBounded, `${asJson(DISABLED)} as disabled,`)}
         (select coalesce(json_agg(json_build_array(r.id, r.name, encode(r.rdata_digest, 'hex'), r.ttl, octet_length(r.rdata))), '[]')
            from unnest(${above}) as n (name)
           cross join lateral (select * from dns.records as r
                                where r.domain_id = :zoneId and r.name = n.name and r.type = 'DNAME' offset 0) as r) as dnames,
         (select coalesce(json_agg(json_build_array(c.name, c.apex_version)), '[]')
            from dns.domains as c where c.name = any(${above}) and c.deleted_at is null) as zones,
         (select coalesce(json_agg(json_build_array(k.idempotency_key, encode(k.request_digest, 'hex'), k.status, k.headers, k.body)), '[]')
            from dns.idempotency_keys as k where k.tenant_id = :payerId and k.idempotency_key = any(${uncounted(':keys::text[]')})) as kept,
         (select ${APEX} from dns.apex_versions as t where t.version = d.apex_version) as apex,
         (select json_build_array(z.state, cast(z.xmin as text)) from dns.zone_dnssec as z where z.domain_id = :zoneId) as signing
    from ${LOCKED_ZONE_TABLES}
   where d.id = :zoneId and d.tenant_id = :tenantId and d.deleted_at is null`;
}

const statements = new Map<string, NamedStatement>();

/** Finds the variant of the statement without parts that are not needed: even an empty part takes some microseconds. */
function statementOf(isBounded: boolean, hasRecordIds: boolean, hasRecordsetIds: boolean) {
  const ids = `${hasRecordIds ? '-by-record' : ''}${hasRecordsetIds ? '-by-set' : ''}`;
  const name = `${isBounded ? 'update' : 'held'}-ground${ids}`;
  const known =
    statements.get(name) ??
    new NamedStatement(name, toText(isBounded, hasRecordIds, hasRecordsetIds));
  statements.set(name, known);
  return known;
}

/**
 * Reads in one round trip.
 *
 * @param isHeld whether the zone is locked, and all is read, however much it is
 * @returns undefined if the tenant has no such zone, or more at the names than is read at once
 */
export async function readReadSet(
  db: Database,
  wanted: Wanted,
  isHeld = false,
): Promise<ReadSet | undefined> {
  const { zoneId, names, recordIds, recordsetIds } = wanted;
  const zoneNames = [...new Set(names.flatMap((name) => [name, ...ancestorsOf(name)]))];
  const statement = statementOf(!isHeld, recordIds.length > 0, recordsetIds.length > 0);
  const [row] = await statement.run<GroundRow>(db, { ...wanted, zoneNames });
  if (row === undefined || row.records === null) return undefined;
  const { records, disabled = [], setNames = [], dnames, zones, kept, apex, signing } = row;
  return {
    zone: withSigning(toLockedZone(row), signing),
    rowVersion: row.rowVersion,
    names: new Set([...names, ...setNames]),
    records: records.map((each) => toRecord(zoneId, each)),
    disabled: disabled.map((each) => toRecord(zoneId, each)),
    dnames: dnames.map(([id, name, digest, ttl, octets]) => ({
      ...{ id, name, ttl, type: 'DNAME', rdata: { length: octets } },
      digest: Buffer.from(digest, 'hex'),
    })),
    // The name of the zone and those above it are not in the zone.
    childZones: toChildZones(
      zones
        .filter(([name]) => name.length > row.name.length)
        .map(([name, apexVersion]) => ({ name, apexVersion })),
    ),
    kept: new Map(
      kept.map(([key, digest, status, headers, body]) => [
        key,
        { requestDigest: Buffer.from(digest, 'hex'), status, headers, body },
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
