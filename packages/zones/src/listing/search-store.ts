import { type Database, queryRow, queryRows } from '@zonewright/database';
import { SHOWN_COLUMNS } from '../records/record-list-store.js';
import type { ShownRecord } from '../rows/record.js';
import { fromRow, ZONE_COLUMNS, type ZoneRow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';
import { asTimestamp, type Timestamp } from '../sql/timestamps.js';

/** So many records are looked through for one answer: some 50 ms of PostgreSQL. A domain is looked through as a whole. */
const RECORDS_LOOKED_AT = 50_000;
/** So many domains at a time, however few records they have. */
const DOMAINS_LOOKED_AT = 5_000;

/** What is looked for in all of a tenant's zones. */
interface Search {
  /** Part of a name, of data or of a description; in any letter case. */
  readonly text: string;
  readonly type: string | undefined;
}

/** A record that was found, and the name of its zone. */
interface FoundRecord extends ShownRecord {
  readonly zoneName: string;
}

/** Up to where a tenant's records have been looked through, in the order of their zones' creation, then of their own. */
interface SearchPosition {
  readonly zone: { readonly createdAt: Timestamp; readonly id: string };
  /** Undefined: the zone has been looked through. */
  readonly record: { readonly createdAt: Timestamp; readonly id: string } | undefined;
}

/** The position of a record, or behind all of a zone. Undefined: the tenant has neither. */
export async function findSearchPosition(
  db: Database,
  tenantId: string,
  marker: string,
): Promise<SearchPosition | undefined> {
  const row = await queryRow<{
    zoneCreatedAt: Timestamp;
    zoneId: string;
    createdAt: Timestamp | null;
  }>(
    db,
    `select ${asTimestamp('d.created_at')} as "zoneCreatedAt", d.id as "zoneId",
            ${asTimestamp('r.created_at')} as "createdAt"
       from dns.domains as d left join dns.records as r on r.domain_id = d.id and r.id = ?
      where d.tenant_id = ? and d.deleted_at is null
        and d.id in (?, (select r.domain_id from dns.records as r where r.id = ?))`,
    [marker, tenantId, marker, marker],
  );
  if (row === undefined) return undefined;
  const { zoneCreatedAt, zoneId, createdAt } = row;
  return {
    zone: { createdAt: zoneCreatedAt, id: zoneId },
    record: createdAt === null ? undefined : { createdAt, id: marker },
  };
}

/** Records that were found, and where to go on; undefined: all have been looked through. */
interface Found {
  readonly records: readonly FoundRecord[];
  readonly next: string | undefined;
}

/**
 * Looks through the next of a tenant's records, as many as one answer may cost. Few may be found, or none, and more follow:
 * what a search costs depends on what the tenant has, and not on how rare it is what is looked for.
 */
export async function searchRecords(
  db: Database,
  tenantId: string,
  search: Search,
  page: { readonly after: SearchPosition | undefined; readonly limit: number },
): Promise<Found> {
  const { after, limit } = page;
  const zones = await listNextZones(db, tenantId, after);
  const last = zones.at(-1);
  if (last === undefined) return { records: [], next: undefined };
  const ids = zones.map(({ id }) => id);
  const rows = await findRecords(db, ids, search, page);
  if (rows.length === limit) return { records: rows, next: rows.at(-1)?.id };
  return { records: rows, next: last.isLast ? undefined : last.id };
}

const HAS_TEXT = `(strpos(r.name, lower(:text)) > 0 or strpos(lower(r.data), lower(:text)) > 0
  or strpos(lower(r.description), lower(:text)) > 0)`;
const IS_BEHIND = `(r.domain_id <> :zoneId or (r.created_at, r.id) >
  (cast(:createdAt as timestamp) at time zone 'UTC', cast(:recordId as uuid)))`;

/** Records of these zones that have what is looked for, behind the position. */
async function findRecords(
  db: Database,
  ids: readonly string[],
  { text, type }: Search,
  { after, limit }: { readonly after: SearchPosition | undefined; readonly limit: number },
): Promise<FoundRecord[]> {
  const conditions = [
    'r.domain_id = any(cast(:ids as uuid[]))',
    HAS_TEXT,
    ...(type === undefined ? [] : ['r.type = :type']),
    ...(after?.record === undefined ? [] : [IS_BEHIND]),
  ];
  const position = after?.record && {
    zoneId: after.zone.id,
    createdAt: after.record.createdAt,
    recordId: after.record.id,
  };
  const { rows } = await db.raw<{ rows: FoundRecord[] }>(
    `select ${SHOWN_COLUMNS}, d.name as "zoneName"
       from dns.records as r join dns.domains as d on d.id = r.domain_id
      where ${conditions.join(' and ')}
      order by d.created_at, d.id, r.created_at, r.id limit :limit`,
    { ids: [...ids], text, type: type ?? '', limit, ...position },
  );
  return rows;
}

/** The zones that are looked through next, that of the position first if it has more. */
async function listNextZones(
  db: Database,
  tenantId: string,
  after: SearchPosition | undefined,
): Promise<{ readonly id: string; readonly isLast: boolean }[]> {
  const { rows } = await db.raw<{ rows: { id: string; isLast: boolean }[] }>(
    `select d.id, d.available <= ${DOMAINS_LOOKED_AT} and d.place = d.available as "isLast"
       from (select d.*, count(*) over () as available, row_number() over (order by d.created_at, d.id) as place,
                    sum(d.record_count) over (order by d.created_at, d.id rows unbounded preceding) - d.record_count
                      as preceding
               from (select d.id, d.created_at, d.record_count from dns.domains as d
                      where d.tenant_id = :tenantId and d.deleted_at is null
                        ${
                          after === undefined
                            ? ''
                            : `and (d.created_at, d.id) ${after.record === undefined ? '>' : '>='}
                                 (cast(:createdAt as timestamp) at time zone 'UTC', cast(:id as uuid))`
                        }
                      order by d.created_at, d.id limit ${DOMAINS_LOOKED_AT + 1}) as d) as d
      where d.preceding < ${RECORDS_LOOKED_AT} and d.place <= ${DOMAINS_LOOKED_AT}
      order by d.place`,
    { tenantId, createdAt: after?.zone.createdAt ?? '', id: after?.zone.id ?? '' },
  );
  return rows;
}

/** Zones whose name or description has the text, oldest first. */
export async function searchZones(
  db: Database,
  tenantId: string,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<Zone[]> {
  const rows = await queryRows<ZoneRow>(
    db,
    `select ${ZONE_COLUMNS} from dns.domains as d
      where d.tenant_id = ? and d.deleted_at is null
        and (strpos(d.name, lower(?)) > 0 or strpos(lower(d.description), lower(?)) > 0)
      order by d.created_at, d.id limit ?`,
    [tenantId, text, text, limit],
  );
  return rows.map(fromRow);
}
