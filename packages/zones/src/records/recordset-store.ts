import type { Database } from '@zonewright/database';
import { RECORD_LIST_COLUMNS } from './record-list-store.js';
import type { RecordFields, ZoneRecord } from '../rows/record.js';
import { fromRecordRow, RECORD_COLUMNS, type RecordRow } from '../rows/record-store.js';
import { CHUNK_OCTETS } from '../rows/statements.js';
import type { Condition } from '../rows/listing.js';
import type { RecordsetKey } from '../rows/recordset.js';

/** Start of a page: after the recordset with these sort values. */
export interface RecordsetPage {
  readonly zoneId: string;
  readonly condition: Condition;
  /** Condition for rows of records with the alias `r`. */
  readonly after: RecordsetKey | undefined;
  readonly isDescending: boolean;
  readonly limit: number;
}

/** Lists names and types in order, from the index of both. */
export async function listKeysByName(
  db: Database,
  { zoneId, condition, after, isDescending, limit }: RecordsetPage,
): Promise<RecordsetKey[]> {
  const direction = isDescending ? 'desc' : 'asc';
  const behind = isDescending ? '<' : '>';
  const { rows } = await db.raw<{ rows: RecordsetKey[] }>(
    `select r.name, r.type from dns.records as r
      where r.domain_id = :zoneId and ${condition.sql}
        ${after === undefined ? '' : `and (r.name, r.type) ${behind} (:afterName, :afterType)`}
      group by r.name, r.type
      order by r.name ${direction}, r.type ${direction}
      limit :limit`,
    { ...condition.values, zoneId, limit, ...afterValues(after) },
  );
  return rows;
}

/** Lists names and types in the order of creation. A recordset is as old as its oldest record. */
export async function listKeysByAge(
  db: Database,
  { zoneId, condition, after, isDescending, limit }: RecordsetPage,
): Promise<RecordsetKey[]> {
  const direction = isDescending ? 'desc' : 'asc';
  const behind = isDescending ? '<' : '>';
  const { rows } = await db.raw<{ rows: RecordsetKey[] }>(
    `select r.name, r.type from dns.records as r
      where r.domain_id = :zoneId
        and not exists (select from dns.records as e
                         where e.domain_id = r.domain_id and e.name = r.name and e.type = r.type
                           and (e.created_at, e.id) < (r.created_at, r.id))
        and exists (select from dns.records as o
                     where o.domain_id = r.domain_id and o.name = r.name and o.type = r.type
                       and ${condition.sql.replaceAll(/\br\./g, 'o.')})
        ${
          after === undefined
            ? ''
            : `and (r.created_at, r.id) ${behind}
                 (select m.created_at, m.id from dns.records as m
                   where m.domain_id = :zoneId and m.name = :afterName and m.type = :afterType
                   order by m.created_at, m.id limit 1)`
        }
      order by r.created_at ${direction}, r.id ${direction}
      limit :limit`,
    { ...condition.values, zoneId, limit, ...afterValues(after) },
  );
  return rows;
}

export async function countKeys(
  db: Database,
  zoneId: string,
  condition: Condition,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count
       from (select distinct r.name, r.type from dns.records as r
              where r.domain_id = :zoneId and ${condition.sql}) as k`,
    { ...condition.values, zoneId },
  );
  return rows[0]?.count ?? 0;
}

/**
 * Lists the rows of these recordsets, oldest first in each. The list ends after the recordset with which its data
 * reaches CHUNK_OCTETS. `keys` are in the order of the list, and the first recordset is always complete.
 */
export async function listRowsOfKeys(
  db: Database,
  zoneId: string,
  keys: readonly RecordsetKey[],
): Promise<RecordFields[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.raw<{ rows: RecordFields[] }>(
    `with keys as materialized (
       select k.name, k.type, k.at, s.octets
         from rows from (unnest(cast(? as text[]), cast(? as text[]))) with ordinality as k (name, type, at),
              lateral (select sum(octet_length(r.data)) as octets from dns.records as r
                        where r.domain_id = ? and r.name = k.name and r.type = k.type) as s),
     taken as materialized (
       select k.*, sum(k.octets) over (order by k.at rows unbounded preceding) - k.octets as preceding from keys as k)
     select ${RECORD_LIST_COLUMNS}
       from taken as t join dns.records as r on r.domain_id = ? and r.name = t.name and r.type = t.type
      where t.preceding < ?
      order by t.at, r.created_at, r.id`,
    [
      keys.map(({ name }) => name),
      keys.map(({ type }) => type),
      zoneId,
      zoneId,
      CHUNK_OCTETS,
    ] as unknown as string[],
  );
  return rows;
}

/** Returns the key of a recordset by id, if it has rows in the zone. */
export async function findKeyById(
  db: Database,
  zoneId: string,
  id: string,
): Promise<RecordsetKey | undefined> {
  const { rows } = await db
    .raw<{ rows: RecordsetKey[] }>(
      `select r.name, r.type from dns.records as r
        where dns.recordset_id(r.domain_id, r.name, r.type) = cast(? as uuid) and r.domain_id = ? limit 1`,
      [id, zoneId],
    )
    .options({ name: 'find-recordset-key' });
  return rows[0];
}

/**
 * Entries of the history of a zone in which a deleted recordset is searched. Reading more entries would take too long
 * for a short request.
 */
const MAX_PAST_ENTRIES = 10_000;

/** Returns the key of a recordset by id, if one of the last changes of the zone removed one of its records. */
export async function findPastKeyById(
  db: Database,
  zoneId: string,
  id: string,
): Promise<RecordsetKey | undefined> {
  const { rows } = await db.raw<{ rows: RecordsetKey[] }>(
    `select p.name, p.type
       from (select c.before ->> 'name' as name, c.before ->> 'type' as type from dns.zone_changes as c
              where c.domain_id = ? order by c.serial_after desc, c.id desc limit ${MAX_PAST_ENTRIES}) as p
      where p.name is not null and p.type is not null
        and dns.recordset_id(cast(? as uuid), p.name, p.type) = cast(? as uuid) limit 1`,
    [zoneId, zoneId, id],
  );
  return rows[0];
}

/**
 * Returns zone and owner of a recordset by id, among existing zones. SOA and NS at the apex have no rows and no index,
 * which each write would have to update. They are searched in the zones that the tenant can see, or in all.
 */
export async function findRecordsetZone(
  db: Database,
  id: string,
  tenantId: string | undefined,
): Promise<{ readonly zoneId: string; readonly tenantId: string } | undefined> {
  const seen =
    tenantId === undefined
      ? 'true'
      : `(z.tenant_id = :tenantId or z.id in (select s.domain_id from dns.zone_shares as s where s.target_tenant_id = :tenantId))`;
  const { rows } = await db.raw<{ rows: { zoneId: string; tenantId: string }[] }>(
    `select d.id as "zoneId", d.tenant_id as "tenantId" from dns.domains as d
      where d.deleted_at is null
        and d.id in (select r.domain_id from dns.records as r
                      where dns.recordset_id(r.domain_id, r.name, r.type) = cast(:id as uuid)
                      union all
                     select z.id from dns.domains as z
                      where z.deleted_at is null and ${seen}
                        and cast(:id as uuid) in (dns.recordset_id(z.id, z.name, 'SOA'), dns.recordset_id(z.id, z.name, 'NS')))
      limit 1`,
    tenantId === undefined ? { id } : { id, tenantId },
  );
  return rows[0];
}

/** Lists all rows of a recordset, oldest first, with everything that changes need. */
export async function listFullRows(
  db: Database,
  zoneId: string,
  { name, type }: RecordsetKey,
): Promise<ZoneRecord[]> {
  const { rows } = await db
    .raw<{ rows: RecordRow[] }>(
      `select ${RECORD_COLUMNS} from dns.records as r
        where r.domain_id = ? and r.name = ? and r.type = ?
        order by r.created_at, r.id`,
      [zoneId, name, type],
    )
    .options({ name: 'list-recordset-rows' });
  return rows.map(fromRecordRow);
}

function afterValues(after: RecordsetKey | undefined): Record<string, string> {
  return after === undefined ? {} : { afterName: after.name, afterType: after.type };
}
