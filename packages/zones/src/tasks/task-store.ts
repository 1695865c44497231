import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListOrder } from '../sql/listing.js';
import { allOf, type TextFilter, textCondition, valueCondition } from '../sql/text-filter.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { ZoneTask, ZoneTaskKind } from './zone-task.js';

const COLUMNS = `l.id, l.kind, l.tenant_id as "tenantId", l.domain_id as "zoneId", l.status, l.message,
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;

export type ZoneTaskSortKey = 'created_at' | 'id' | 'updated_at';

const LISTING: Listing<ZoneTaskSortKey> = {
  columns: COLUMNS,
  from: 'dns.zone_tasks as l',
  id: 'l.id',
  sortColumns: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
  },
};

/** Filter of a list of tasks. */
interface ZoneTaskFilter {
  readonly tenantId: string;
  readonly kind: ZoneTaskKind;
  readonly status: TextFilter | undefined;
  readonly message: TextFilter | undefined;
  /** A UUID. */
  readonly zoneId: string | undefined;
}

/** Undefined: the marker is not in the list. */
export async function listZoneTasks(
  db: Database,
  { tenantId, kind, status, message, zoneId }: ZoneTaskFilter,
  order: ListOrder<ZoneTaskSortKey>,
): Promise<ListedPage<ZoneTask> | undefined> {
  const condition = allOf([
    valueCondition('l.tenant_id', 'tenantId', tenantId),
    valueCondition('l.kind', 'kind', kind),
    textCondition('l.status', 'status', status),
    textCondition('l.message', 'message', message),
    valueCondition('l.domain_id', 'zoneId', zoneId),
  ]);
  return await listPage(db, LISTING, condition, order);
}

export async function findZoneTask(
  db: Database,
  { tenantId, kind, id }: Pick<ZoneTask, 'tenantId' | 'kind' | 'id'>,
): Promise<ZoneTask | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.zone_tasks as l where l.id = ? and l.tenant_id = ? and l.kind = ?`,
    [id, tenantId, kind],
  );
}

/** Adds a task that is done; the oldest of its tenant go, so that `most` stay. */
export async function insertZoneTask(
  trx: Database,
  task: Pick<ZoneTask, 'kind' | 'tenantId' | 'zoneId' | 'status' | 'message'>,
  most: number,
): Promise<ZoneTask> {
  return await queryReturning(
    trx,
    `with surplus as (
       delete from dns.zone_tasks as o
        where o.id in (select t.id from dns.zone_tasks as t where t.tenant_id = ? and t.kind = ?
                        order by t.created_at desc, t.id desc offset ?)
     )
     insert into dns.zone_tasks as l (kind, tenant_id, domain_id, status, message, updated_at)
     values (?, ?, ?, ?, ?, clock_timestamp()) returning ${COLUMNS}`,
    [
      ...[task.tenantId, task.kind, Math.max(most - 1, 0)],
      ...[task.kind, task.tenantId, task.zoneId, task.status, task.message],
    ],
  );
}

/** False: there is none. */
export async function deleteZoneTask(
  trx: Database,
  { tenantId, kind, id }: Pick<ZoneTask, 'tenantId' | 'kind' | 'id'>,
): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.zone_tasks as l where l.id = ? and l.tenant_id = ? and l.kind = ? returning l.id',
    [id, tenantId, kind],
  );
  return rows.length > 0;
}
