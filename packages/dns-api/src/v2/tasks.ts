import {
  type ListOrder,
  listZoneTasks,
  type ZoneTask,
  type ZoneTaskKind,
  type ZoneTaskSortKey,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { type ListForm, textFilterOf, uuidFilterOf } from './http/list-query.js';
import { linkOf } from './http/reply.js';
import { type ProjectRequest, viewerOf } from './http/request.js';

type TaskFilterName = 'status' | 'message' | 'zone_id';

export const TASK_LIST: ListForm<TaskFilterName, ZoneTaskSortKey> = {
  filters: ['status', 'message', 'zone_id'],
  sortKeys: ['created_at', 'id', 'updated_at'],
};

/** Reads tasks of a kind. */
export function listTasks(db: Context['db'], request: ProjectRequest, kind: ZoneTaskKind) {
  return async (
    filters: Readonly<Partial<Record<TaskFilterName, string>>>,
    order: ListOrder<ZoneTaskSortKey>,
  ) =>
    listZoneTasks(
      db,
      {
        tenantId: viewerOf(request).tenantId,
        kind,
        status: textFilterOf(filters.status),
        message: textFilterOf(filters.message),
        zoneId: uuidFilterOf('zone_id', filters.zone_id),
      },
      order,
    );
}

const VERSION = 1;

/** Common members of exports and imports. */
function renderTask(request: ProjectRequest, task: ZoneTask) {
  return {
    id: task.id,
    status: task.status,
    message: task.message,
    zone_id: task.zoneId,
    project_id: task.tenantId,
    version: VERSION,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    links: linkOf(request, `zones/tasks/${task.kind}s/${task.id}`),
  };
}

/** Renders an export, with the URL of its content. */
export function renderExport(request: ProjectRequest, task: ZoneTask) {
  const content = `zones/tasks/exports/${task.id}/export`;
  const rendered = renderTask(request, task);
  return {
    ...rendered,
    location: `designate://v2/${content}`,
    links: { ...rendered.links, export: linkOf(request, content).self },
  };
}

/** Renders an import, with the zone that it created. */
export function renderImport(request: ProjectRequest, task: ZoneTask) {
  const rendered = renderTask(request, task);
  if (task.zoneId === null) return rendered;
  const zone = linkOf(request, `zones/${task.zoneId}`).self;
  return { ...rendered, links: { ...rendered.links, zone } };
}

/** Response to the request that creates a task. Clients read the task again to see the result. */
export function asAccepted<T extends { readonly status: string }>(rendered: T): T {
  return { ...rendered, status: 'PENDING' };
}
