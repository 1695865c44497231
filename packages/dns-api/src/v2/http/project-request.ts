import type { AnyViewer } from '@zonewright/zones';
import type { TenantRequest } from '../../http/operation.js';

/** A request for v2: its ids are UUIDs, and its caller is the project that it acts for. */
export interface ProjectRequest extends TenantRequest {
  /** An operator asked for the objects of all projects (X-Auth-All-Projects). */
  readonly isForAllProjects: boolean;
}

/** Viewer of a list over all zones: the project, or an operator for all projects. */
export function viewerOf({ caller, isForAllProjects }: ProjectRequest): AnyViewer {
  return isForAllProjects ? { ...caller, tenantId: undefined } : caller;
}
