import {
  type ListOrder,
  listZoneTasks,
  type ZoneTaskKind,
  type ZoneTaskSortKey,
} from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import { type ListForm, textFilterOf } from '../http/list-query.js';
import type { ProjectRequest } from '../http/project-request.js';
import { uuidFilterOf } from '../http/uuid-filter.js';

type TaskFilterName = 'status' | 'message' | 'zone_id';

export const TASK_LIST: ListForm<TaskFilterName, ZoneTaskSortKey> = {
  filters: ['status', 'message', 'zone_id'],
  sortKeys: ['created_at', 'id', 'updated_at'],
};

/** Reads the project's tasks of a kind. */
export function listTasks(db: Context['db'], { caller }: ProjectRequest, kind: ZoneTaskKind) {
  return async (
    filters: Readonly<Partial<Record<TaskFilterName, string>>>,
    order: ListOrder<ZoneTaskSortKey>,
  ) =>
    listZoneTasks(
      db,
      {
        tenantId: caller.tenantId,
        kind,
        status: textFilterOf(filters.status),
        message: textFilterOf(filters.message),
        zoneId: uuidFilterOf('zone_id', filters.zone_id),
      },
      order,
    );
}
