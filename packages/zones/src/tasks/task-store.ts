import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListPage } from '../sql/listing.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { ZoneTask, ZoneTaskKind } from './zone-task.js';

const COLUMNS = `l.id, l.kind, l.tenant_id as "tenantId", l.domain_id as "zoneId", l.status, l.message,
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;

const LISTING: Listing = {
  columns: COLUMNS,
  from: 'dns.zone_tasks as l',
  id: 'l.id',
  sortKeys: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
  },
};

/** What a list of tasks can be narrowed to. */
export interface ZoneTaskFilter {
  readonly status: string | undefined;
  readonly zoneId: string | undefined;
}

export async function listZoneTasks(
  db: Database,
  { tenantId, kind }: { readonly tenantId: string; readonly kind: ZoneTaskKind },
  { status, zoneId }: ZoneTaskFilter,
  page: ListPage,
): Promise<ListedPage<ZoneTask>> {
  const where = [
    'l.tenant_id = :tenantId and l.kind = :kind',
    ...(status === undefined ? [] : ['l.status = :status']),
    ...(zoneId === undefined ? [] : ['l.domain_id = cast(:zoneId as uuid)']),
  ];
  const bindings = { tenantId, kind, status: status ?? null, zoneId: zoneId ?? null };
  return await listPage(db, LISTING, { where, bindings }, page);
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
