import { type Database, queryRow, queryRows } from '@zonewright/database';
import { ALL_RECORDS } from '../rows/record-store.js';
import type { RecordFields } from '../rows/record.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import { fromRow, ZONE_COLUMNS, type ZoneRow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';
import { conditionOf, RECORD_LIST_COLUMNS } from './record-list-store.js';

/** Maximum extent of a search. */
interface Reach {
  readonly domains: number;
  /** Number of records searched one by one so far. A domain is always searched completely. */
  readonly records: number;
  /** Number of records in domains whose search texts are read to find candidates. */
  readonly recordsInTexts: number;
}

/**
 * Successive searches, each after the end of the previous one, until a page is full: frequent texts are found in the
 * first few domains. In total they take about 25 ms of PostgreSQL for records, and 100 ms for search texts.
 */
const LOOKS: readonly Reach[] = [
  { domains: 100, records: 2_000, recordsInTexts: 2_000 },
  { domains: 1_000, records: 12_000, recordsInTexts: 50_000 },
  { domains: 20_000, records: 25_000, recordsInTexts: 1_200_000 },
];

/** Search in all zones of a tenant. */
interface Search {
  /**
   * Part of a name, of data or of a description, in any letter case; with `hasFlags` also part of a tag. Undefined for
   * a search by tag.
   */
  readonly text: string | undefined;
  readonly type: string | undefined;
  /** One of the record's tags. Needs `hasFlags`. */
  readonly tag: string | undefined;
  /** Includes disabled records, and the flags of all records. */
  readonly hasFlags: boolean;
}

/** Matching record, and the name of its zone. */
interface FoundRecord extends RecordFields {
  readonly displayZoneName: string;
}

/** Position of a search in a tenant's records, sorted by the creation of their zones and then of the records. */
interface SearchPosition {
  readonly zone: { readonly createdAt: Timestamp; readonly id: string };
  /** Undefined if the zone has been searched. */
  readonly record: { readonly createdAt: Timestamp; readonly id: string } | undefined;
}

/** Finds the position of a record, or of the end of a zone. Undefined if the tenant has neither. */
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
       from dns.domains as d left join ${ALL_RECORDS} as r on r.domain_id = d.id and r.id = ?
      where d.tenant_id = ? and d.deleted_at is null
        and d.id in (?, (select r.domain_id from ${ALL_RECORDS} as r where r.id = ?))`,
    [marker, tenantId, marker, marker],
  );
  if (row === undefined) return undefined;
  const { zoneCreatedAt, zoneId, createdAt } = row;
  return {
    zone: { createdAt: zoneCreatedAt, id: zoneId },
    record: createdAt === null ? undefined : { createdAt, id: marker },
  };
}

/** Matching records, and the start of the next search. Undefined if everything has been searched. */
interface Found {
  readonly records: readonly FoundRecord[];
  readonly next: string | undefined;
}

interface Page {
  readonly after: SearchPosition | undefined;
  readonly limit: number;
}

/**
 * Searches the next records of a tenant, up to the maximum cost of one response. A page may have few or no results
 * although more follow: the cost depends on the tenant's data, not on how rare the text is.
 */
export async function searchRecords(
  db: Database,
  tenantId: string,
  search: Search,
  { after, limit }: Page,
): Promise<Found> {
  const records: FoundRecord[] = [];
  let position = after;
  let looked = 0;
  for (const reach of LOOKS) {
    if (reach.records <= looked) continue;
    const page = { after: position, limit: limit - records.length };
    const zones = await chooseZones(db, tenantId, { search, page, reach, looked });
    const rows = await lookThrough(db, zones, search, page);
    records.push(...rows);
    if (records.length === limit) return { records, next: rows.at(-1)?.id };
    if (zones.end === null) return { records, next: undefined };
    position = { zone: zones.end, record: undefined };
    looked += zones.records;
  }
  return { records, next: position?.zone.id };
}

async function lookThrough(
  db: Database,
  { ids, withoutText }: ChosenZones,
  search: Search,
  page: Page,
): Promise<readonly FoundRecord[]> {
  const rows = ids.length === 0 ? [] : await findRecords(db, ids, search, page);
  // The next search then reads fewer zones.
  if (withoutText.length > 0) await makeSearchTexts(db, withoutText);
  return rows;
}

const IS_BEHIND = `(r.domain_id <> :zoneId or (r.created_at, r.id) >
  (cast(:createdAt as timestamp) at time zone 'UTC', cast(:recordId as uuid)))`;

/** Finds matching records of these zones after the position. */
async function findRecords(
  db: Database,
  ids: readonly string[],
  { text: q, type, tag, hasFlags }: Search,
  { after, limit }: Page,
): Promise<FoundRecord[]> {
  const values = { q, type, tag };
  const narrowed = (['q', 'type', 'tag'] as const).filter((each) => values[each] !== undefined);
  const conditions = [
    'r.domain_id = any(cast(:ids as uuid[]))',
    ...narrowed.map((each) => conditionOf(each, hasFlags)),
    ...(after?.record === undefined ? [] : [IS_BEHIND]),
  ];
  const position = after?.record && {
    zoneId: after.zone.id,
    createdAt: after.record.createdAt,
    recordId: after.record.id,
  };
  const [table, columns] = hasFlags
    ? [ALL_RECORDS, `${RECORD_LIST_COLUMNS}, r.flags`]
    : ['dns.records', RECORD_LIST_COLUMNS];
  const bindings = { ids: [...ids], ...values, limit, ...position };
  const { rows } = await db.raw<{ rows: FoundRecord[] }>(
    `select ${columns}, coalesce(d.display_name, d.name) as "displayZoneName"
       from ${table} as r join dns.domains as d on d.id = r.domain_id
      where ${conditions.join(' and ')}
      order by d.created_at, d.id, r.created_at, r.id limit :limit`,
    bindings as unknown as Record<string, string>,
  );
  return rows;
}

interface ChosenZones {
  /** Zones that may match. The first one is the zone of the position, if it has more records. */
  readonly ids: readonly string[];
  /** Zones without a search text, whose records must be read. */
  readonly withoutText: readonly string[];
  /** Number of records in these zones. */
  readonly records: number;
  /** End of the searched range. Null if everything has been searched. */
  readonly end: SearchPosition['zone'] | null;
}

interface Look {
  readonly search: Search;
  readonly page: Page;
  readonly reach: Reach;
  /** Number of records searched before. */
  readonly looked: number;
}

/** Chooses the zones to search next. A zone without a search text for its serial may match. */
async function chooseZones(
  db: Database,
  tenantId: string,
  { search, page: { after }, reach, looked }: Look,
): Promise<ChosenZones> {
  // Search texts contain tags as JSON.
  const text = search.text ?? JSON.stringify(search.tag ?? '').slice(1, -1);
  const sql = chosenZonesSql(after, reach, search);
  const { createdAt, id } = after?.zone ?? { createdAt: '', id: '' };
  const records = reach.records - looked;
  const lastDot = text.lastIndexOf('.');
  const [head, tail] = [text.slice(0, lastDot + 1), text.slice(lastDot + 1)];
  const { rows } = await db.raw<{ rows: [ChosenZones] }>(sql, {
    ...{ tenantId, text, head, tail, createdAt, id, records },
  });
  return rows[0];
}

/**
 * SQL that decides whether a zone may match, from its search text and its name. The text may be in a line or in the
 * zone's name. It may also begin in an owner name and continue in the zone's name, which lines omit. The dot between
 * both is the last one of the text, or the one before the first label of the zone.
 */
const MAY_HAVE = `(
  strpos(s.content, lower(:text)) > 0 or strpos(n.name, lower(:text)) > 0
  or (:head <> '' and starts_with(n.name, lower(:tail)) and strpos(s.content, lower(:head) || e'\\n') > 0)
  or strpos(lower(:text), '.' || split_part(n.name, '.', 1) || '.') > 0)`;

function chosenZonesSql(
  after: SearchPosition | undefined,
  { domains, recordsInTexts }: Reach,
  { hasFlags }: Search,
): string {
  const operator = after?.record === undefined ? '>' : '>=';
  const isBehind = `and (d.created_at, d.id) ${operator}
    (cast(:createdAt as timestamp) at time zone 'UTC', cast(:id as uuid))`;
  // The texts are looked up zone by zone: in a join of two tables without statistics, PostgreSQL compared each row
  // with every other one.
  const hasText = `(select ${MAY_HAVE} from dns.search_texts as s
                     where s.domain_id = n.id and s.serial = n.serial)`;
  const records = hasFlags ? `(d.record_count + d.disabled_count)` : 'd.record_count';
  return `
    with next as materialized (
      select d.*
        from (select d.*, lead(d.id) over by_age is null as is_last, row_number() over by_age as place,
                     sum(d.record_count) over (by_age rows unbounded preceding) - d.record_count as preceding
                from (select d.id, d.name, d.created_at, d.serial, d.record_count, d.disabled_count from dns.domains as d
                       where d.tenant_id = :tenantId and d.deleted_at is null ${after === undefined ? '' : isBehind}
                       order by d.created_at, d.id limit ${domains + 1}) as d
              window by_age as (order by d.created_at, d.id)) as d
       where d.preceding < ${recordsInTexts} and d.place <= ${domains}
    ), known as materialized (
      select n.id, n.record_count, n.disabled_count, n.place, ${hasText} as has_text from next as n
    ), possible as materialized (
      select k.*, sum(k.record_count) over (order by k.place rows unbounded preceding) - k.record_count as preceding
        from (select d.id, ${records} as record_count, d.place, d.has_text
                from known as d where d.has_text is not false) as k
    ), chosen as materialized (select * from possible where preceding < :records)
    select array(select id from chosen order by place) as ids,
           array(select id from chosen where has_text is null order by id) as "withoutText",
           (select cast(coalesce(sum(record_count), 0) as integer) from chosen) as records,
           (select json_build_object('id', n.id, 'createdAt', ${asTimestamp('n.created_at')}) from next as n
             where n.place = case when exists (select 1 from possible where preceding >= :records)
                                  then (select max(place) from chosen)
                                  else (select max(place) from next having not bool_or(is_last)) end) as "end"`;
}

/** Lists zones whose name or description contains the text, oldest first. */
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

/**
 * Maximum size of a zone with a search text. The text of a larger zone would take a long time to create, and would
 * change often.
 */
const MAX_RECORDS = 20_000;
/** Shortest interval between two updates of the search text of a zone. */
const MAKE_AGAIN_AFTER = "interval '30 seconds'";

/**
 * Creates the search texts of zones whose serial has none (ADR 0036). A single statement ensures that serial and
 * records match. Names omit the name of the zone, which would be half of the text. They are at the ends of lines.
 */
async function makeSearchTexts(db: Database, ids: readonly string[]): Promise<void> {
  await db.raw(
    `insert into dns.search_texts (domain_id, serial, made_at, content)
     select d.id, d.serial, now(), (
              select coalesce(string_agg(concat_ws(e'\\n', left(r.name, -length(d.name)), lower(r.data), lower(r.description),
                                                   lower(r.flags ->> 'tags')), e'\\n'), '')
                from ${ALL_RECORDS} as r where r.domain_id = d.id)
       from dns.domains as d
      where d.id = any(cast(:ids as uuid[])) and d.deleted_at is null and d.record_count <= ${MAX_RECORDS}
        -- What is read of texts is counted by the records that are served.
        and d.disabled_count <= d.record_count
        and not exists (select 1 from dns.search_texts as s where s.domain_id = d.id and s.made_at > now() - ${MAKE_AGAIN_AFTER})
      -- Two searches that make the same ones do not wait for each other in a circle.
      order by d.id
     on conflict (domain_id) do update
       set serial = excluded.serial, made_at = excluded.made_at, content = excluded.content`,
    { ids: [...ids] },
  );
}
