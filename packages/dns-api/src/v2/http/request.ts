import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { type AnyViewer, findOwner, type OwnedKind } from '@zonewright/zones';
import { requireOperator } from '../../access/require-allowed.js';
import type { Context } from '../../context/context.js';
import { checkMembers, type Members } from '../../http/members.js';
import type { TenantRequest } from '../../http/operation.js';

/** Request for v2. Its ids are UUIDs, and its caller is the project on whose behalf it acts. */
export interface ProjectRequest extends TenantRequest {
  /** Whether an operator requests the objects of all projects (X-Auth-All-Projects). */
  readonly isForAllProjects: boolean;
}

/** Returns the viewer of a list: the project, or an operator for all projects. */
export function viewerOf({ caller, isForAllProjects }: ProjectRequest): AnyViewer {
  return isForAllProjects ? { ...caller, tenantId: undefined } : caller;
}

/** Path parameters with the id of an object that belongs to one project. The first in a path decides. */
export const OWNED_PARAMETERS: Readonly<Record<string, OwnedKind>> = {
  zone_id: 'zone',
  export_id: 'export',
  import_id: 'import',
  transfer_request_id: 'transfer request',
  transfer_accept_id: 'transfer accept',
};

const SUDO_HEADER = 'X-Auth-Sudo-Project-ID';
const ALL_PROJECTS_HEADER = 'X-Auth-All-Projects';
const EDIT_MANAGED_HEADER = 'X-Designate-Edit-Managed-Records';

/** Form of project ids of the identity service. */
const PROJECT_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Returns the request on behalf of the project that it is meant for. X-Auth-Sudo-Project-ID names another project
 * than the caller's. With X-Auth-All-Projects, the project is the owner of the object in the path, and lists show all
 * projects. Only operators may send these headers. The audit line has both projects.
 *
 * @throws ServiceError `forbidden` if the caller is not an operator
 */
export async function actForProject(
  context: Context,
  request: TenantRequest,
): Promise<ProjectRequest> {
  const sudo = request.header(SUDO_HEADER);
  const isForAllProjects = readSwitch(request, ALL_PROJECTS_HEADER);
  if (sudo === undefined && !isForAllProjects) return { ...request, isForAllProjects };
  requireOperator(request.caller, context.settings.access.cloudAdminRoles);
  const named = sudo === undefined ? undefined : requireProjectId(sudo);
  const owner = isForAllProjects ? await findOwnerOf(context, request.params) : undefined;
  const tenantId = owner ?? named;
  request.audit({ actingForTenantId: tenantId, allProjects: isForAllProjects || undefined });
  if (tenantId === undefined) return { ...request, isForAllProjects };
  return { ...request, caller: { ...request.caller, tenantId }, isForAllProjects };
}

/**
 * Whether an operator asks to change records that the service manages. @throws ServiceError `forbidden` if the caller
 * is not an operator
 */
export function editsManagedRecords({ settings }: Context, request: TenantRequest): boolean {
  if (!readSwitch(request, EDIT_MANAGED_HEADER)) return false;
  requireOperator(request.caller, settings.access.cloudAdminRoles);
  return true;
}

async function findOwnerOf({ db }: Context, params: TenantRequest['params']) {
  for (const [name, id] of Object.entries(params)) {
    const kind = OWNED_PARAMETERS[name];
    if (kind !== undefined) return await findOwner(db, { kind, id });
  }
  return undefined;
}

/** Clients of Designate send True and False; its documents say true and false. */
function readSwitch({ header }: TenantRequest, name: string): boolean {
  const text = header(name)?.trim().toLowerCase() ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  const message = `${name} is ${JSON.stringify(text)}; write true or false.`;
  throw invalidRequest([{ path: name, validator: 'type', message }], 'parameter');
}

function requireProjectId(text: string): string {
  if (PROJECT_ID.test(text)) return text;
  const message = `${SUDO_HEADER} must be the id of a project.`;
  throw invalidRequest([{ path: SUDO_HEADER, validator: 'format', message }], 'parameter');
}

/**
 * Returns the writable members of a v2 body. Read-only members are accepted and ignored, since clients send back what they have read.
 *
 * @throws ServiceError `invalid` if the body is not an object
 */
export function readMembers(
  body: unknown,
  writable: readonly string[],
  readOnly: readonly string[] = [],
): Members {
  const { values, problems } = checkMembers(body, [...writable, ...readOnly]);
  const written = Object.entries(values).filter(([name]) => writable.includes(name));
  return { values: Object.fromEntries(written), problems };
}

/** Returns the problems of a member that must have one of the given values. */
export function checkChoice(path: string, value: unknown, choices: readonly string[]): Problem[] {
  if (value === undefined || choices.includes(value as string)) return [];
  const message = `${path} must be ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}.`;
  return [{ path, validator: 'enum', message }];
}
