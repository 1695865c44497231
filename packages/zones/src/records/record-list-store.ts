import type { Database } from '@zonewright/database';
import { readableRecords } from '../access/key-rules.js';
import type { ViewedZone } from './get-record.js';
import { asTimestamp } from '../sql/timestamps.js';
import { type Chunk, CHUNK_OCTETS } from '../sql/chunk.js';
import type { ShownRecord } from '../rows/record.js';

/** What a list of records is narrowed to. */
export interface RecordFilter {
  readonly name: string | undefined;
  readonly type: string | undefined;
  /** One of these; undefined: any. */
  readonly types: readonly string[] | undefined;
  readonly data: string | undefined;
}

/** Without rdata and its digest, which are a third of a row and are not shown. */
export const SHOWN_COLUMNS = `r.id, r.domain_id as "zoneId", r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version,
  ${asTimestamp('r.created_at')} as "createdAt", ${asTimestamp('r.updated_at')} as "updatedAt"`;

const CONDITIONS = {
  name: 'r.name = :name',
  type: 'r.type = :type',
  // "is true": no condition for an index, since the page is read in the order of creation.
  types: '(r.type = any(cast(:types as text[]))) is true',
  // Data can be longer than an entry of an index may be: records_data holds its beginning.
  data: 'left(r.data, 64) = left(:data, 64) and r.data = :data',
} as const;

const AFTER_MARKER = `(r.created_at, r.id) >
  (select m.created_at, m.id from dns.records as m where m.id = :marker)`;

interface ListedRow extends ShownRecord {
  /** How many rows there are, were it not for their octets. */
  readonly available: string;
}

/**
 * A page of a zone's records in the order of creation, after the record `marker`. It ends where the data of its rows are
 * CHUNK_OCTETS together; PostgreSQL knows how long a text is without reading it.
 */
export async function listRecords(
  db: Database,
  { viewer, zone }: ViewedZone,
  filter: RecordFilter,
  page: { readonly marker: string | undefined; readonly limit: number },
): Promise<Chunk<ShownRecord>> {
  const readable = readableRecords(viewer, zone);
  const narrowed = (['name', 'type', 'types', 'data'] as const).filter(
    (each) => filter[each] !== undefined,
  );
  const conditions = [
    'r.domain_id = :zoneId',
    readable.sql,
    ...narrowed.map((each) => CONDITIONS[each]),
    ...(page.marker === undefined ? [] : [AFTER_MARKER]),
  ];
  const { rows } = await db.raw<{ rows: ListedRow[] }>(
    `select ${SHOWN_COLUMNS}, r.available
       from (select l.*, count(*) over () as available,
                    sum(octet_length(l.data)) over (order by l.created_at, l.id rows unbounded preceding)
                      - octet_length(l.data) as preceding
               from (select r.* from dns.records as r where ${conditions.join(' and ')}
                      order by r.created_at, r.id limit :limit) as l) as r
      where r.preceding < :octets
      order by r.created_at, r.id`,
    {
      ...filter,
      ...page,
      ...readable.values,
      zoneId: zone.id,
      octets: CHUNK_OCTETS,
    } as unknown as Record<string, string>,
  );
  return { items: rows, isCut: rows.length < Number(rows[0]?.available ?? 0) };
}
