import type { Database } from '@zonewright/database';
import { asTimestamp } from '../timestamps.js';
import type { ShownRecord } from './record.js';

/** What a list of records is narrowed to. */
export interface RecordFilter {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly data: string | undefined;
}

/** Without rdata and its digest, which are a third of a row and are not shown. */
const SHOWN_COLUMNS = `r.id, r.domain_id as "zoneId", r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version,
  ${asTimestamp('r.created_at')} as "createdAt", ${asTimestamp('r.updated_at')} as "updatedAt"`;

const CONDITIONS = {
  name: 'r.name = :name',
  type: 'r.type = :type',
  // Data can be longer than an entry of an index may be: records_data holds its beginning.
  data: 'left(r.data, 64) = left(:data, 64) and r.data = :data',
} as const;

const AFTER_MARKER = `(r.created_at, r.id) >
  (select m.created_at, m.id from dns.records as m where m.id = :marker)`;

/** A page of a zone's records in the order of creation, after the record `marker`. */
export async function listRecords(
  db: Database,
  zoneId: string,
  filter: RecordFilter,
  page: { readonly marker: string | undefined; readonly limit: number },
): Promise<ShownRecord[]> {
  const narrowed = (['name', 'type', 'data'] as const).filter((each) => filter[each] !== undefined);
  const conditions = [
    'r.domain_id = :zoneId',
    ...narrowed.map((each) => CONDITIONS[each]),
    ...(page.marker === undefined ? [] : [AFTER_MARKER]),
  ];
  const { rows } = await db.raw<{ rows: ShownRecord[] }>(
    `select ${SHOWN_COLUMNS} from dns.records as r where ${conditions.join(' and ')}
      order by r.created_at, r.id limit :limit`,
    { ...filter, ...page, zoneId } as Record<string, string | number>,
  );
  return rows;
}
