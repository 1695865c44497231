import { type Database, queryRow, type RecordImage } from '@zonewright/database';
import { readableRecords } from '../rows/key-rules.js';
import type { ViewedZone } from './get-record.js';
import { asTimestamp, type Chunk, CHUNK_OCTETS } from '../rows/statements.js';
import type { RecordFields } from '../rows/record.js';
import { ALL_RECORDS } from '../rows/record-store.js';
import { isBehindMarker, orderBy, type SortOrder } from '../rows/listing.js';

export interface RecordFilter {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** Types, one of which must match. Undefined means any. */
  readonly types: readonly string[] | undefined;
  readonly data: string | undefined;
  /** Part of a name, of data or of a description, in any letter case. */
  readonly q?: string | undefined;
  /** One of the record's tags. Needs `hasFlags`. */
  readonly tag?: string | undefined;
  /** Includes disabled records, and the flags of all records. */
  readonly hasFlags?: boolean | undefined;
}

/** Columns without rdata and its digest, which are a third of a row and are not shown. */
export const RECORD_LIST_COLUMNS = `r.id, r.domain_id as "zoneId", r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version,
  ${asTimestamp('r.created_at')} as "createdAt", ${asTimestamp('r.updated_at')} as "updatedAt"`;

const CONDITIONS = {
  name: 'r.name = :name',
  type: 'r.type = :type',
  // "is true" prevents the use of an index, since the page is read in the order of creation.
  types: '(r.type = any(cast(:types as text[]))) is true',
  // Data can be longer than an index entry, so records_data contains its beginning.
  data: 'left(r.data, 64) = left(:data, 64) and r.data = :data',
  q: `(strpos(r.name, lower(:q)) > 0 or strpos(lower(r.data), lower(:q)) > 0
       or strpos(lower(r.description), lower(:q)) > 0)`,
  tag: `jsonb_exists(r.flags -> 'tags', :tag)`,
} as const;

/** Returns a condition. A search includes tags if they are shown. */
export function conditionOf(each: keyof typeof CONDITIONS, isFlagged: boolean): string {
  if (each === 'tag' && !isFlagged) return 'false';
  if (each !== 'q' || !isFlagged) return CONDITIONS[each];
  return `(${CONDITIONS.q} or strpos(lower(r.flags ->> 'tags'), lower(:q)) > 0)`;
}

const SORT_COLUMNS = {
  created_at: (alias: string) => `${alias}.created_at`,
  updated_at: (alias: string) => `coalesce(${alias}.updated_at, ${alias}.created_at)`,
  name: (alias: string) => `${alias}.name`,
  type: (alias: string) => `${alias}.type`,
  ttl: (alias: string) => `coalesce(${alias}.ttl, -1)`,
};
type RecordSortKey = keyof typeof SORT_COLUMNS;
const BY_CREATION: SortOrder<RecordSortKey> = { key: 'created_at', isDescending: false };

/** Page and order of a list of records. The default order is by creation time. */
interface RecordPage {
  readonly marker: string | undefined;
  /** The record with this id if it was deleted. */
  readonly past?: RecordImage | undefined;
  readonly limit: number;
  readonly order?: SortOrder<RecordSortKey> | undefined;
}

/** Entries of the history of a zone in which a deleted record is searched. More would take too long. */
const MAX_PAST_ENTRIES = 10_000;

/** Returns a record as it was before one of the last changes of the zone deleted it. */
export async function findPastRecord(
  db: Database,
  zoneId: string,
  id: string,
): Promise<RecordImage | undefined> {
  const row = await queryRow<{ before: RecordImage }>(
    db,
    `select p.before
       from (select c.record_id, c.before, c.after from dns.zone_changes as c
              where c.domain_id = ? order by c.serial_after desc, c.id desc limit ${MAX_PAST_ENTRIES}) as p
      where p.record_id = cast(? as uuid) and p.before is not null and p.after is null limit 1`,
    [zoneId, id],
  );
  return row?.before;
}

/** Rows of a deleted record, from its image in the journal. */
const PAST_RECORD = `(
  select x.id, x.name, x.type, x.ttl, x.created_at at time zone 'UTC' as created_at,
         x.updated_at at time zone 'UTC' as updated_at
    from jsonb_to_record(cast(:past as jsonb)) as x (id uuid, name text collate "C", type text, ttl integer,
           created_at timestamp, updated_at timestamp))`;

interface ListedRow extends RecordFields {
  /** Number of rows before the list is cut at CHUNK_OCTETS. */
  readonly available: string;
}

/**
 * Lists a page of a zone's records after the record `marker`. It ends when the data of its rows reaches CHUNK_OCTETS;
 * PostgreSQL knows the length of a text without reading it.
 */
export async function listRecords(
  db: Database,
  { viewer, zone }: ViewedZone,
  filter: RecordFilter,
  page: RecordPage,
): Promise<Chunk<RecordFields>> {
  const { where, bindings, table, columns } = conditionsOf({ viewer, zone }, filter, page);
  const { order = BY_CREATION } = page;
  const { rows } = await db.raw<{ rows: ListedRow[] }>(
    `select ${columns}, r.available
       from (select l.*, count(*) over () as available,
                    sum(octet_length(l.data)) over (order by ${orderBy(SORT_COLUMNS, order, 'l')} rows unbounded preceding)
                      - octet_length(l.data) as preceding
               from (select r.* from ${table} as r where ${where}
                      order by ${orderBy(SORT_COLUMNS, order, 'r')} limit :limit) as l) as r
      where r.preceding < :octets
      order by ${orderBy(SORT_COLUMNS, order, 'r')}`,
    { ...bindings, limit: page.limit, octets: CHUNK_OCTETS },
  );
  return { items: rows, isCut: rows.length < Number(rows[0]?.available ?? 0) };
}

/** Returns the id of the last record on a full page. Undefined if the page is not full. */
export async function findPageEnd(
  db: Database,
  viewed: ViewedZone,
  filter: RecordFilter,
  page: RecordPage,
): Promise<string | undefined> {
  const { where, bindings, table } = conditionsOf(viewed, filter, page);
  const order = orderBy(SORT_COLUMNS, page.order ?? BY_CREATION, 'r');
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select r.id from ${table} as r where ${where} order by ${order} offset :limit - 1 limit 1`,
    { ...bindings, limit: page.limit },
  );
  return rows[0]?.id;
}

/** Counts the matching records. */
export async function countRecords(
  db: Database,
  viewed: ViewedZone,
  filter: RecordFilter,
): Promise<number> {
  const { where, bindings, table } = conditionsOf(viewed, filter, {});
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from ${table} as r where ${where}`,
    bindings,
  );
  return rows[0]?.count ?? 0;
}

function conditionsOf(
  { viewer, zone }: ViewedZone,
  filter: RecordFilter,
  { marker, past, order = BY_CREATION }: Partial<RecordPage>,
) {
  const isFlagged = filter.hasFlags === true;
  const table = isFlagged ? ALL_RECORDS : 'dns.records';
  const from = past === undefined ? table : PAST_RECORD;
  const readable = readableRecords(viewer, zone);
  const narrowed = (['name', 'type', 'types', 'data', 'q', 'tag'] as const).filter(
    (each) => filter[each] !== undefined,
  );
  const conditions = [
    'r.domain_id = :zoneId',
    readable.sql,
    ...narrowed.map((each) => conditionOf(each, isFlagged)),
    ...(marker === undefined
      ? []
      : [isBehindMarker(SORT_COLUMNS, order, { alias: 'r', table: from })]),
  ];
  const { data: _, ...image } = past ?? {};
  const bindings = {
    ...{ ...filter, ...readable.values, marker, zoneId: zone.id },
    ...(past === undefined ? {} : { past: JSON.stringify(image) }),
  };
  return {
    table,
    columns: isFlagged ? `${RECORD_LIST_COLUMNS}, r.flags` : RECORD_LIST_COLUMNS,
    where: conditions.join(' and '),
    bindings: bindings as unknown as Record<string, string>,
  };
}
