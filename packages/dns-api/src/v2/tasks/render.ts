import type { ZoneTask } from '@zonewright/zones';
import { linkOf } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';

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

/** An export, with the place where it is read. */
export function renderExport(request: ProjectRequest, task: ZoneTask) {
  const content = `zones/tasks/exports/${task.id}/export`;
  const rendered = renderTask(request, task);
  return {
    ...rendered,
    location: `designate://v2/${content}`,
    links: { ...rendered.links, export: linkOf(request, content).self },
  };
}

/** An import, with the zone that it made. */
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
