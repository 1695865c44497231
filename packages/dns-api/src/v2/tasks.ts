import {
  getZoneTask,
  type ListOrder,
  listZoneTasks,
  removeZoneTask,
  type ZoneTask,
  type ZoneTaskKind,
  type ZoneTaskSortKey,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import {
  describeList,
  type ListForm,
  listPageReply,
  textFilterOf,
  uuidFilterOf,
} from './http/list-query.js';
import type { V2Operation } from './http/operation.js';
import { linkOf, noContentReply } from './http/reply.js';
import { type ProjectRequest, viewerOf } from './http/request.js';

type TaskFilterName = 'status' | 'message' | 'zone_id';

const TASK_LIST: ListForm<TaskFilterName, ZoneTaskSortKey> = {
  filters: ['status', 'message', 'zone_id'],
  sortKeys: ['created_at', 'id', 'updated_at'],
};

function listTasks(db: Context['db'], request: ProjectRequest, kind: ZoneTaskKind) {
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

/** Operations that list, show and delete the tasks of a kind. */
export function taskOperations(
  kind: ZoneTaskKind,
  render: (request: ProjectRequest, task: ZoneTask) => Readonly<Record<string, unknown>>,
): V2Operation[] {
  const title = `Zone${kind === 'export' ? 'Export' : 'Import'}`;
  const words = title.replace('Zone', 'Zone ');
  const all = `/zones/tasks/${kind}s`;
  const one = { path: `${all}/{${kind}_id}`, access: 'tenant', body: 'none' } as const;
  return [
    {
      ...one,
      id: `list${title}s`,
      name: `List ${words}s (v2)`,
      method: 'GET',
      path: all,
      answers: `${title}sV2`,
      query: describeList(TASK_LIST),
      handle: async ({ db }, request) =>
        listPageReply(request, {
          member: `${kind}s`,
          form: TASK_LIST,
          fetch: listTasks(db, request, kind),
          render: (task) => render(request, task),
        }),
    },
    {
      ...one,
      id: `get${title}`,
      name: `Get ${words} (v2)`,
      method: 'GET',
      answers: `${title}V2`,
      handle: async ({ db }, request) =>
        jsonReply(render(request, await getZoneTask(db, taskTarget(kind, request)))),
    },
    {
      ...one,
      id: `delete${title}`,
      name: `Delete ${words} (v2)`,
      method: 'DELETE',
      status: 204,
      handle: async (context, request) =>
        write(context, request, async ({ trx }) => {
          await removeZoneTask(trx, taskTarget(kind, request));
          return { reply: noContentReply() };
        }),
    },
  ];
}

/** Returns the key of the task that a request names. */
export function taskTarget(kind: ZoneTaskKind, { caller, params }: ProjectRequest) {
  return { tenantId: caller.tenantId, kind, id: params[`${kind}_id`] ?? '' };
}

const VERSION = 1;

/** Renders the members that exports and imports have in common. */
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

export function renderImport(request: ProjectRequest, task: ZoneTask) {
  const rendered = renderTask(request, task);
  if (task.zoneId === null) return rendered;
  const zone = linkOf(request, `zones/${task.zoneId}`).self;
  return { ...rendered, links: { ...rendered.links, zone } };
}

/** Returns the response to the request that creates a task. Clients read the task again to see the result. */
export function asAccepted<T extends { readonly status: string }>(rendered: T): T {
  return { ...rendered, status: 'PENDING' };
}
