import type { Database } from '@zonewright/database';
import { type ErrorKind, isUuid, problemsOf, ServiceError } from '@zonewright/service-kit';
import { deleteZoneTask, findZoneTask, insertZoneTask } from './task-store.js';
import type { ZoneTask, ZoneTaskKind } from './zone-task.js';

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

/** An export that can be read from now on; what it holds is made when it is read. */
export async function addExport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  zoneId: string,
): Promise<ZoneTask> {
  const task = { kind: 'export', tenantId, zoneId, status: 'COMPLETE', message: null } as const;
  return await insertZoneTask(trx, task, most);
}

/** An import that made a zone. */
export async function addImport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  zone: { readonly id: string; readonly name: string },
): Promise<ZoneTask> {
  const message = `${zone.name} imported`;
  const task = { kind: 'import', tenantId, zoneId: zone.id, status: 'COMPLETE', message } as const;
  return await insertZoneTask(trx, task, most);
}

/** An import that made none, and why. */
export async function addFailedImport(
  trx: Database,
  { tenantId, most }: TaskOwner,
  error: ServiceError,
): Promise<ZoneTask> {
  const task = { kind: 'import', tenantId, zoneId: null, status: 'ERROR' } as const;
  return await insertZoneTask(trx, { ...task, message: describe(error) }, most);
}

/** Errors of the file or of its content. All others are errors of the request or of the service. */
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
  // Half a character is none.
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function notFound(kind: ZoneTaskKind): ServiceError {
  return new ServiceError('not-found', `There is no ${kind} with this id.`, {
    details: { subject: kind },
  });
}
