import { APEX, type Database, type FeedApex } from '@zonewright/database';
import {
  type CanonicalKey,
  type ChainPosition,
  isSigningAlgorithm,
  type PublicKey,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import { announcedKeys, type SigningState, type ZoneKey } from '../rows/signing-state.js';
import { NamedStatement } from '../rows/statements.js';

/** Names whose records are read. */
export interface SigningNeeds {
  readonly zoneId: string;
  /** TTL in seconds of records without their own TTL. */
  readonly ttl: number;
  readonly names: readonly string[];
  /** Keys of the names in the chain, in order, so that the stored data of a name is not read twice. */
  readonly keys: readonly CanonicalKey[];
  /** Ancestors of these names up to the apex that may hide them. */
  readonly between: readonly string[];
  /** Names that may be hosted zones. */
  readonly zoneNames: readonly string[];
  /** Whether the apex records are those in the zone's row, or those that the row will have when it is written. */
  readonly apexOf: 'row' | 'next-row';
}

/** Members of a key that affect signing. */
export type UsedKey = PublicKey &
  Pick<ZoneKey, 'id' | 'algorithm' | 'keyTag' | 'state' | 'dsFrom' | 'retireAt'>;

export interface RecordToSign {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: Buffer;
}

/** Hosted zone below another, or the nameserver domain. */
export interface HostedChild {
  readonly name: string;
  /** Keys for the DS that its parent should have now. */
  readonly dsKeys: readonly PublicKey[];
}

/** Everything that the signatures of some names depend on, in one snapshot. */
export interface SigningSet {
  /** Undefined if primaries provide it. */
  readonly apex: FeedApex | undefined;
  readonly apexVersion: number;
  /** Keys in use, oldest first. */
  readonly keys: readonly UsedKey[];
  /** Positions of the requested keys, in order. */
  readonly places: readonly ChainPosition[];
  readonly records: readonly RecordToSign[];
  /** Names in `between` with a DNAME record, or with NS records of a user below the apex. */
  readonly hiding: readonly string[];
  readonly children: readonly HostedChild[];
}

/** Row with binary data in hexadecimal: JSON is parsed in a fraction of the time that rows take. */
interface GroundRow {
  /** The zone's index in the request. */
  readonly at: number;
  readonly apex: FeedApex | null;
  readonly apexVersion: number;
  readonly keys: readonly (readonly [
    id: string,
    algorithm: ZoneKey['algorithm'],
    flags: number,
    keyTag: number,
    publicKey: string,
    state: ZoneKey['state'],
    dsFrom: string | null,
    retireAt: string | null,
  ])[];
  readonly places: readonly PlaceRow[];
  readonly records: readonly (readonly [name: string, type: string, ttl: number, rdata: string])[];
  readonly hiding: readonly string[];
  readonly children: readonly (readonly [
    name: string,
    state: SigningState | null,
    keys: readonly (readonly [
      algorithm: number,
      flags: number,
      publicKey: string,
      state: ZoneKey['state'],
      dsFrom: string | null,
      retireAt: string | null,
    ])[],
  ])[];
}

type PlaceRow = readonly [
  key: string,
  records: string | null,
  beforeKey: string | null,
  beforeRecords: string | null,
  afterKey: string | null,
];

/**
 * Reads each key and each neighbour in the chain by one index lookup. A join would scan the whole zone if PostgreSQL
 * considers it small, as most zones are. Data of the preceding name is not read if the previous position has it, or is
 * that name.
 */
const READ = new NamedStatement(
  'signing-ground',
  `
  select w.at, (select ${APEX} from dns.apex_versions as t where t.version = a.version) as apex, a.version as "apexVersion",
         (select coalesce(json_agg(json_build_array(k.id, k.algorithm, k.flags, k.key_tag, encode(k.public_key, 'hex'), k.state,
                                   k.ds_from, k.retire_at) order by k.published_at, k.id), '[]')
            from dns.zone_keys as k where k.domain_id = w."zoneId" and k.state <> 'removed') as keys,
         (select coalesce(json_agg(json_build_array(encode(p.key, 'hex'), encode(p.records, 'hex'), encode(p.before_key, 'hex'),
                                   encode(p.before_records, 'hex'), encode(p.after_key, 'hex')) order by p.at), '[]')
            from (select k.key, k.at, b.canonical as before_key, a.canonical as after_key,
                         (select s.records from dns.signed_names as s where s.domain_id = w."zoneId" and s.canonical = k.key) as records,
                         case when lag(b.canonical) over (order by k.at) is distinct from b.canonical
                               and lag(k.key) over (order by k.at) is distinct from b.canonical then b.records end as before_records
                    from (select decode(u.key, 'hex') as key, u.at from unnest(w.keys) with ordinality as u (key, at)) as k
                    left join lateral (select n.canonical, n.records from dns.signed_names as n
                                        where n.domain_id = w."zoneId" and n.canonical < k.key
                                        order by n.canonical desc limit 1) as b on true
                    left join lateral (select n.canonical from dns.signed_names as n
                                        where n.domain_id = w."zoneId" and n.canonical > k.key
                                        order by n.canonical limit 1) as a on true) as p) as places,
         (select coalesce(json_agg(json_build_array(r.name, r.type, coalesce(r.ttl, w.ttl), encode(r.rdata, 'hex'))), '[]')
            from dns.records as r where r.domain_id = w."zoneId" and r.name = any(w.names)) as records,
         (select coalesce(json_agg(distinct r.name), '[]') from dns.records as r
           where r.domain_id = w."zoneId" and r.name = any(w.between)
             and (r.type = 'DNAME' or r.type = 'NS' and r.name <> (select d.name from dns.domains as d where d.id = w."zoneId"))) as hiding,
         (select coalesce(json_agg(json_build_array(c.name, c.state, c.keys)), '[]')
            from (select d.name, z.state,
                         (select coalesce(json_agg(json_build_array(k.algorithm, k.flags, encode(k.public_key, 'hex'), k.state,
                                                    k.ds_from, k.retire_at) order by k.key_tag), '[]')
                            from dns.zone_keys as k
                           where k.domain_id = d.id and k.state in ('active', 'foreign')) as keys
                    from dns.domains as d left join dns.zone_dnssec as z on z.domain_id = d.id
                   where d.name = any(w."zoneNames") and d.deleted_at is null
                  union all
                  select n.name, null, '[]' from dns.nameserver_domain as n
                   where n.name = any(w."zoneNames")
                     and not exists (select from dns.domains as d where d.name = n.name and d.deleted_at is null)) as c) as children
    from jsonb_to_recordset(cast(:wanted as jsonb))
           as w (at integer, "zoneId" uuid, ttl integer, names text[], keys text[], between text[], "zoneNames" text[], "apexOf" text)
   cross join lateral (select case when w."apexOf" = 'row' then (select d.apex_version from dns.domains as d where d.id = w."zoneId")
                                   else (select max(t.version) from dns.apex_versions as t) end as version) as a`,
);

/** Reads the signing sets of some zones in one round trip. */
export async function readSigningSets(
  db: Database,
  all: readonly [SigningNeeds, ...SigningNeeds[]],
): Promise<readonly [SigningSet, ...SigningSet[]]> {
  const wanted = all.map(({ keys, ...rest }, at) => ({ at, ...rest, keys: keys.map(toHex) }));
  const rows = await READ.run<GroundRow>(db, { wanted: JSON.stringify(wanted) });
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  const groundAt = (at: number) => {
    const row = byPlace.get(at);
    if (row === undefined) throw new Error('The statement returned no row.');
    return toGround(row);
  };
  const [, ...others] = all;
  return [groundAt(0), ...others.map((_, at) => groundAt(at + 1))];
}

function toGround(row: GroundRow): SigningSet {
  return {
    apex: row.apex ?? undefined,
    apexVersion: row.apexVersion,
    keys: row.keys.map(([id, algorithm, flags, keyTag, publicKey, state, dsFrom, retireAt]) => ({
      ...{ id, algorithm, flags, keyTag, state },
      publicKey: fromHex(publicKey),
      dsFrom: toDate(dsFrom),
      retireAt: toDate(retireAt),
    })),
    places: toPlaces(row.places),
    records: row.records.map(([name, type, recordTtl, rdata]) => ({
      ...{ name, type, ttl: recordTtl },
      rdata: fromHex(rdata),
    })),
    hiding: row.hiding,
    children: row.children.map(toChild),
  };
}

function toChild([name, state, keys]: GroundRow['children'][number]): HostedChild {
  // A zone that is becoming unsigned counts as insecure as soon as this is announced.
  if (state !== 'signed') return { name, dsKeys: [] };
  const known = keys.map(([algorithm, flags, publicKey, keyState, dsFrom, retireAt]) => ({
    ...{ algorithm, flags, publicKey: fromHex(publicKey), state: keyState },
    ...{ dsFrom: toDate(dsFrom), retireAt: toDate(retireAt) },
  }));
  return {
    name,
    dsKeys: announcedKeys(known).filter(({ algorithm }) => isSigningAlgorithm(algorithm)),
  };
}

function toPlaces(rows: readonly PlaceRow[]): ChainPosition[] {
  const places: ChainPosition[] = [];
  for (const [key, records, beforeKey, beforeRecords, afterKey] of rows) {
    const last = places.at(-1);
    places.push({
      key: toKey(key),
      records: records === null ? undefined : toRecords(records),
      before: beforeKey === null ? undefined : toBefore(toKey(beforeKey), beforeRecords, last),
      after: afterKey === null ? undefined : toKey(afterKey),
    });
  }
  return places;
}

function toBefore(key: CanonicalKey, records: string | null, last: ChainPosition | undefined) {
  if (records !== null) return { key, records: toRecords(records) };
  return last?.before?.key === key ? last.before : { key, records: last?.records ?? [] };
}

function toRecords(hex: string) {
  return signedRecordsFromOctets(fromHex(hex));
}

function toKey(hex: string): CanonicalKey {
  return fromHex(hex).toString('latin1');
}

function toHex(key: CanonicalKey): string {
  return Buffer.from(key, 'latin1').toString('hex');
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
