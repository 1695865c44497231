import type { Database } from '@zonewright/database';
import {
  fromRecordRow,
  RECORD_COLUMNS,
  RECORD_TABLES,
  type RecordRow,
} from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { asTimestamp } from '../sql/timestamps.js';

/** A zone that has records whose end has come. */
export interface ZoneToExpire {
  readonly id: string;
  readonly tenantId: string;
}

/** Expression of the indexes on expiry times, so that a search reads almost nothing if nothing is due. */
const END = `r.flags ->> 'expiresAt'`;
const IS_DUE = `${END} is not null and ${END} <= ${asTimestamp('now()')}`;

/** Zones of the records whose end came first, but for some. */
export async function findZonesToExpire(
  db: Database,
  { limit, except }: { readonly limit: number; readonly except: readonly string[] },
): Promise<ZoneToExpire[]> {
  const due = RECORD_TABLES.map(
    (table) =>
      `(select r.domain_id from ${table} as r where ${IS_DUE} and r.domain_id <> all(cast(:except as uuid[]))
        order by ${END} limit :limit)`,
  );
  const { rows } = await db.raw<{ rows: ZoneToExpire[] }>(
    `select distinct d.id, d.tenant_id as "tenantId" from (${due.join(' union all ')}) as due
       join dns.domains as d on d.id = due.domain_id and d.deleted_at is null`,
    { limit, except: [...except] },
  );
  return rows;
}

/** Records of a zone whose end has come. */
export async function listDueRecords(
  trx: Database,
  zoneId: string,
  limit: number,
): Promise<ZoneRecord[]> {
  const due = RECORD_TABLES.map(
    (table) => `(select ${RECORD_COLUMNS} from ${table} as r
                  where r.domain_id = :zoneId and ${IS_DUE} order by ${END} limit :limit)`,
  );
  const { rows } = await trx.raw<{ rows: RecordRow[] }>(due.join(' union all '), { zoneId, limit });
  return rows.slice(0, limit).map(fromRecordRow);
}
