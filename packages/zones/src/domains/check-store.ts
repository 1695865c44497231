import type { Database } from '@zonewright/database';
import type { AdvisedRecord } from '@zonewright/dns-records/advice';
import { findTransferSerial } from '../rows/history-periods.js';

/** Maximum number of targets of a domain that are checked. */
export const MAX_TARGETS = 50;
const MAX_CHANGES = 100;
const MAX_MIXED = 20;

/** Record that points to another name. */
export interface Reference {
  readonly name: string;
  readonly type: 'CNAME' | 'MX' | 'NS' | 'SRV';
  readonly data: string;
}

/** Lists records that point to other names. If there are more than are checked, one more is returned. */
export async function listReferences(db: Database, zoneId: string): Promise<Reference[]> {
  const { rows } = await db.raw<{ rows: Reference[] }>(
    `select r.name, r.type, r.data from dns.records as r
      where r.domain_id = ? and r.type in ('CNAME', 'MX', 'NS', 'SRV')
      order by r.name, r.type limit ?`,
    [zoneId, MAX_TARGETS + 1],
  );
  return rows;
}

/** Types of records whose content is checked. */
const ADVISED = ['A', 'AAAA', 'CAA', 'CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'];
const MAX_ADVISED_OF_TYPE = 300;

/** Lists the newest records of each type whose content is checked. */
export async function listRecordsToAdvise(db: Database, zoneId: string): Promise<AdvisedRecord[]> {
  const { rows } = await db.raw<{ rows: AdvisedRecord[] }>(
    `select r.name, r.type, r.data, r.priority from unnest(?::text[]) as t (type)
      cross join lateral (select n.name, n.type, n.data, n.priority, n.created_at, n.id from dns.records as n
                           where n.domain_id = ? and n.type = t.type
                           order by n.created_at desc, n.id desc limit ${MAX_ADVISED_OF_TYPE}) as r
      order by r.created_at, r.id`,
    [ADVISED, zoneId],
  );
  return rows;
}

/**
 * Lists record types at names of hosted zones, by `zone id name`. NS records at the apex are omitted, since they do not
 * delegate.
 */
export async function listTypesAt(
  db: Database,
  zoneIds: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await db.raw<{ rows: { zone: string; name: string; types: string[] }[] }>(
    `select r.domain_id as zone, r.name, array_agg(distinct r.type) as types
       from dns.records as r join dns.domains as d on d.id = r.domain_id
      where r.domain_id = any(?::uuid[]) and r.name = any(?::text[]) and (r.type <> 'NS' or r.name <> d.name)
      group by r.domain_id, r.name`,
    [[...zoneIds], [...names]],
  );
  return new Map(rows.map(({ zone, name, types }) => [`${zone} ${name}`, new Set(types)]));
}

/** Delegation within a zone. */
interface Delegation {
  readonly name: string;
  readonly target: string;
  /** Whether the target has an address in the same zone. */
  readonly hasAddress: boolean;
}

export async function listDelegations(
  db: Database,
  zoneId: string,
  apex: string,
): Promise<Delegation[]> {
  const { rows } = await db.raw<{ rows: Delegation[] }>(
    `select r.name, lower(r.data) as target,
            exists (select from dns.records as a
                     where a.domain_id = r.domain_id and a.name = lower(r.data) and a.type in ('A', 'AAAA'))
              as "hasAddress"
       from dns.records as r
      where r.domain_id = ? and r.type = 'NS' and r.name <> ?
      order by r.name limit ?`,
    [zoneId, apex, MAX_TARGETS],
  );
  return rows;
}

interface RecentChange {
  readonly name: string;
  /** Whether there was no such record before. */
  readonly isNew: boolean;
  /** Null means the default of the zone. */
  readonly ttlBefore: number | null;
  readonly secondsAgo: number;
}

/** Lists the last changes of a zone's records by its current owner, newest first. */
export async function listRecentChanges(db: Database, zoneId: string): Promise<RecentChange[]> {
  const { rows } = await db.raw<{ rows: RecentChange[] }>(
    `select coalesce(c.before, c.after) ->> 'name' as name, c.before is null as "isNew",
            (c.before ->> 'ttl')::integer as "ttlBefore",
            extract(epoch from now() - c.changed_at)::float8 as "secondsAgo"
       from dns.zone_changes as c
      where c.domain_id = ? and c.record_id is not null and c.serial_after >= ?
      order by c.serial_after desc, c.id desc limit ?`,
    [zoneId, (await findTransferSerial(db, zoneId)) ?? 0, MAX_CHANGES],
  );
  return rows;
}

/** Records of one name and type with different TTLs. */
interface MixedTtl {
  readonly name: string;
  readonly type: string;
  readonly least: number;
  readonly most: number;
}

/**
 * Lists RRsets with several TTLs. Managed NS records at the apex have the TTL of the zone; a secondary zone has none. An
 * RRSIG has the TTL of the RRset that it covers (RFC 4034 s3).
 */
export async function listMixedTtls(
  db: Database,
  { id, name, ttl }: { readonly id: string; readonly name: string; readonly ttl: number },
): Promise<MixedTtl[]> {
  const { rows } = await db.raw<{ rows: MixedTtl[] }>(
    `select s.name, s.type, min(s.ttl) as least, max(s.ttl) as most
       from (select r.name, r.type, coalesce(r.ttl, cast(:ttl as integer)) as ttl from dns.records as r
              where r.domain_id = :id and r.type <> 'RRSIG'
              union all
             select r.name, r.type, cast(:ttl as integer) from dns.records as r
              where r.domain_id = :id and r.name = :name and r.type = 'NS'
                and not exists (select from dns.secondaries as p where p.domain_id = :id)) as s
      group by s.name, s.type
     having min(s.ttl) <> max(s.ttl)
      order by s.name, s.type limit ${MAX_MIXED}`,
    { id, name, ttl },
  );
  return rows;
}
