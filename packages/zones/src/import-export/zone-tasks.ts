import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { type ErrorKind, isUuid, problemsOf, ServiceError } from '@zonewright/service-kit';
import {
  allOf,
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  textCondition,
  type TextFilter,
  valueCondition,
} from '../rows/listing.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';

export type ZoneTaskKind = 'export' | 'import';

/** Export or import of a zone file. Neither stores the file. */
export interface ZoneTask {
  readonly id: string;
  readonly kind: ZoneTaskKind;
  readonly tenantId: string;
  /** Null for an import that did not create a zone. */
  readonly zoneId: string | null;
  readonly status: 'PENDING' | 'COMPLETE' | 'ERROR';
  readonly message: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

type TaskTarget = Pick<ZoneTask, 'tenantId' | 'kind' | 'id'>;

/** @throws ServiceError `not-found` */
export async function getZoneTask(db: Database, target: TaskTarget): Promise<ZoneTask> {
  const task = isUuid(target.id) ? await findZoneTask(db, target) : undefined;
  if (task === undefined) throw notFound(target.kind);
  return task;
}

/** @throws ServiceError `not-found` */
export async function removeZoneTask(trx: Database, target: TaskTarget): Promise<void> {
  if (!isUuid(target.id) || !(await deleteZoneTask(trx, target))) throw notFound(target.kind);
}

/** Owner of a task, and its maximum number of tasks. */
interface TaskOwner {
  readonly tenantId: string;
  readonly most: number;
}

/** Adds an export. Its content is created when it is read. */
export async function addExport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  zoneId: string,
): Promise<ZoneTask> {
  const task = { kind: 'export', tenantId, zoneId, status: 'COMPLETE', message: null } as const;
  return await insertZoneTask(trx, task, most);
}

/** Adds an import that created a zone. */
export async function addImport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  zone: { readonly id: string; readonly name: string },
): Promise<ZoneTask> {
  const message = `${zone.name} imported`;
  const task = { kind: 'import', tenantId, zoneId: zone.id, status: 'COMPLETE', message } as const;
  return await insertZoneTask(trx, task, most);
}

export async function addFailedImport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  error: ServiceError,
): Promise<ZoneTask> {
  const task = { kind: 'import', tenantId, zoneId: null, status: 'ERROR' } as const;
  return await insertZoneTask(trx, { ...task, message: describe(error) }, most);
}

/** Errors of the file or its content. All others are errors of the request or the service. */
const OF_THE_FILE: ReadonlySet<ErrorKind> = new Set([
  'invalid',
  'conflict',
  'forbidden',
  'over-quota',
]);

export function isFaultOfFile(error: unknown): error is ServiceError {
  return error instanceof ServiceError && OF_THE_FILE.has(error.kind);
}

const MAX_MESSAGE_CHARACTERS = 1_000;
const MAX_PROBLEMS_SHOWN = 3;

function describe(error: ServiceError): string {
  const problems = problemsOf(error).slice(0, MAX_PROBLEMS_SHOWN);
  const texts = [error.message, ...problems.map(({ message }) => message)];
  const text = [...new Set(texts)].join(' ').slice(0, MAX_MESSAGE_CHARACTERS);
  // Half a surrogate pair at the end is dropped.
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function notFound(kind: ZoneTaskKind): ServiceError {
  return new ServiceError('not-found', `There is no ${kind} with this id.`, {
    details: { subject: kind },
  });
}

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

interface ZoneTaskFilter {
  /** Undefined for the tasks of all tenants. */
  readonly tenantId: string | undefined;
  readonly kind: ZoneTaskKind;
  readonly status: TextFilter | undefined;
  readonly message: TextFilter | undefined;
  /** Id of a zone (UUID). */
  readonly zoneId: string | undefined;
}

/** Returns undefined if the marker is not in the list. */
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

async function findZoneTask(
  db: Database,
  { tenantId, kind, id }: Pick<ZoneTask, 'tenantId' | 'kind' | 'id'>,
): Promise<ZoneTask | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.zone_tasks as l where l.id = ? and l.tenant_id = ? and l.kind = ?`,
    [id, tenantId, kind],
  );
}

/** Adds a completed task. The oldest tasks of its tenant are deleted so that `most` remain. */
async function insertZoneTask(
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

/** Returns false if there is no such task. */
async function deleteZoneTask(
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
