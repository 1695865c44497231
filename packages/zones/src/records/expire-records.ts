import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { UnitOfWork } from '../request/unit-of-work.js';
import {
  fromRecordRow,
  RECORD_COLUMNS,
  RECORD_TABLES,
  type RecordRow,
} from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import { asTimestamp } from '../rows/statements.js';
import { changeAlone } from '../write/change-alone.js';

/** Maximum number of expired records in one change of a zone, which limits how long other writers wait. */
const RECORDS_A_STEP = 500;
/** Number of records of each kind whose zones are read at once. */
const ROWS_AT_ONCE = 100;

/**
 * Deletes expired records of a zone. The changeset has an author and can be reverted like any other. Replicas that
 * process the same zone wait for each other, and the second one finds nothing left. @returns the number of records
 */
export async function expireRecords(work: UnitOfWork, { id }: ZoneToExpire): Promise<number> {
  try {
    let due: readonly ZoneRecord[] = [];
    await changeAlone(work, id, {
      names: [],
      plan: async ({ zone }) => {
        // The records of a secondary zone now belong to its primaries.
        due =
          zone.secondary === undefined
            ? await listDueRecords(work.trx, zone.id, RECORDS_A_STEP)
            : [];
        return { changes: due.map((before) => ({ before, after: undefined })) };
      },
    });
    return due.length;
  } catch (error) {
    // The zone was deleted or transferred in the meantime.
    if (error instanceof ServiceError && error.kind === 'not-found') return 0;
    throw error;
  }
}

/** Zone with expired records. */
export interface ZoneToExpire {
  readonly id: string;
  readonly tenantId: string;
}

/** Expression of the indexes on expiry times, so that a query reads almost nothing if nothing has expired. */
const END = `r.flags ->> 'expiresAt'`;
const IS_DUE = `${END} is not null and ${END} <= ${asTimestamp('now()')}`;

/**
 * Lists the zones of the records that expired first, except the given zones. The list includes deleted zones, so that
 * the caller can exclude them in the next call. Otherwise their records could use up the limit and hide those of other
 * zones.
 */
export async function listZonesToExpire(
  db: Database,
  except: readonly string[],
): Promise<readonly ZoneToExpire[]> {
  const due = RECORD_TABLES.map(
    (table) =>
      `(select r.domain_id from ${table} as r where ${IS_DUE} and r.domain_id <> all(cast(:except as uuid[]))
        order by ${END} limit :limit)`,
  );
  const { rows } = await db.raw<{ rows: ZoneToExpire[] }>(
    `select distinct d.id, d.tenant_id as "tenantId" from (${due.join(' union all ')}) as due
       join dns.domains as d on d.id = due.domain_id`,
    { limit: ROWS_AT_ONCE, except: [...except] },
  );
  return rows;
}

async function listDueRecords(trx: Database, zoneId: string, limit: number): Promise<ZoneRecord[]> {
  const due = RECORD_TABLES.map(
    (table) => `(select ${RECORD_COLUMNS} from ${table} as r
                  where r.domain_id = :zoneId and ${IS_DUE} order by ${END} limit :limit)`,
  );
  const { rows } = await trx.raw<{ rows: RecordRow[] }>(due.join(' union all '), { zoneId, limit });
  return rows.slice(0, limit).map(fromRecordRow);
}
