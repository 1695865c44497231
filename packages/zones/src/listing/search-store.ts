import { type Database, queryRow, queryRows } from '@zonewright/database';
import { SHOWN_COLUMNS } from '../records/record-list-store.js';
import type { ShownRecord } from '../rows/record.js';
import { fromRow, ZONE_COLUMNS, type ZoneRow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';
import { hasTable } from '../sql/has-column.js';
import { asTimestamp, type Timestamp } from '../sql/timestamps.js';
import { makeSearchTexts } from './search-text-store.js';

/** How far one look goes. */
interface Reach {
  /** So many records are looked through, each by itself; a domain as a whole. */
  readonly records: number;
  /** Domains with so many records have their texts looked at, to find those that may have something. */
  readonly recordsInTexts: number;
}

/** What many domains have is found in a few of them: a page takes no longer than it must. */
const NEAR: Reach = { records: 2_000, recordsInTexts: 2_000 };
/** Some 50 ms of PostgreSQL for the records, and 100 ms for the texts. */
const FAR: Reach = { records: 50_000, recordsInTexts: 1_200_000 };
const MOST_DOMAINS = 20_000;

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
  const near = await look(db, tenantId, { search, page, reach: NEAR });
  if (near.next === undefined || near.records.length === page.limit) return near;
  return await look(db, tenantId, { search, page, reach: FAR });
}

interface Look {
  readonly search: Search;
  readonly page: { readonly after: SearchPosition | undefined; readonly limit: number };
  readonly reach: Reach;
}

async function look(db: Database, tenantId: string, what: Look): Promise<Found> {
  const { search, page } = what;
  const { ids, withoutText, end } = await chooseZones(db, tenantId, what);
  const rows = ids.length === 0 ? [] : await findRecords(db, ids, search, page);
  // Those who search next find less to look through.
  if (withoutText.length > 0) await makeSearchTexts(db, withoutText);
  if (rows.length === page.limit) return { records: rows, next: rows.at(-1)?.id };
  return { records: rows, next: end };
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

interface ChosenZones {
  /** Those that may have what is looked for, that of the position first if it has more. */
  readonly ids: readonly string[];
  /** Those of them of which nothing but their records says whether they have it. */
  readonly withoutText: readonly string[];
  /** Up to where all are looked through then; undefined: to the end. */
  readonly end: string | undefined;
}

/** Which zones are looked through next. A zone without a text of its serial may have anything. */
async function chooseZones(
  db: Database,
  tenantId: string,
  { search: { text }, page: { after }, reach }: Look,
): Promise<ChosenZones> {
  const sql = chosenZonesSql(after, reach, await hasTable(db, 'search_texts'));
  const { createdAt, id } = after?.zone ?? { createdAt: '', id: '' };
  const { rows } = await db.raw<{ rows: [Omit<ChosenZones, 'end'> & { end: string | null }] }>(
    sql,
    { tenantId, text, createdAt, id },
  );
  const [{ ids, withoutText, end }] = rows;
  return { ids, withoutText, end: end ?? undefined };
}

/** Before migration 0049 there are no texts, and nothing that says that a zone has none. */
function chosenZonesSql(
  after: SearchPosition | undefined,
  reach: Reach,
  hasTexts: boolean,
): string {
  const operator = after?.record === undefined ? '>' : '>=';
  const isBehind = `and (d.created_at, d.id) ${operator}
    (cast(:createdAt as timestamp) at time zone 'UTC', cast(:id as uuid))`;
  // Looked up zone by zone: as a join of two tables without statistics it compared each with each.
  const hasText = `(select strpos(s.content, lower(:text)) > 0 from dns.search_texts as s
                     where s.domain_id = n.id and s.serial = n.serial)`;
  return `
    with next as materialized (
      select d.id, d.serial, d.record_count, d.place, d.available <= ${MOST_DOMAINS} and d.place = d.available as is_last
        from (select d.*, count(*) over () as available, row_number() over (order by d.created_at, d.id) as place,
                     sum(d.record_count) over (order by d.created_at, d.id rows unbounded preceding) - d.record_count
                       as preceding
                from (select d.id, d.created_at, d.serial, d.record_count from dns.domains as d
                       where d.tenant_id = :tenantId and d.deleted_at is null ${after === undefined ? '' : isBehind}
                       order by d.created_at, d.id limit ${MOST_DOMAINS + 1}) as d) as d
       where d.preceding < ${reach.recordsInTexts} and d.place <= ${MOST_DOMAINS}
    ), known as materialized (
      select n.id, n.record_count, n.place, cast(${hasTexts ? hasText : 'null'} as boolean) as has_text, ${hasTexts} as has_texts from next as n
    ), possible as materialized (
      select k.*, sum(k.record_count) over (order by k.place rows unbounded preceding) - k.record_count as preceding
        from known as k where k.has_text is not false
    ), chosen as materialized (select * from possible where preceding < ${reach.records})
    select array(select id from chosen order by place) as ids,
           array(select id from chosen where has_texts and has_text is null order by id) as "withoutText",
           case when exists (select 1 from possible where preceding >= ${reach.records})
                then (select id from chosen order by place desc limit 1)
                else (select case when is_last then null else id end from next order by place desc limit 1) end as "end"`;
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
