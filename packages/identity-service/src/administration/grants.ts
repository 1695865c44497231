import {
  checkGrantAs,
  type Grant,
  type GrantTarget,
  grantRoleAs,
  invalidRequest,
  listAssignmentsAs,
  listGrantsAs,
  revokeRoleAs,
  type RoleAssignmentIds,
  type NamedAssignment,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { answerList, answerWhole, readFlag } from '../http/lists.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { renderAssignment, renderRole } from '../representation/administration.js';
import { administratorOf, changeAccounts } from './change-accounts.js';

/** GET .../users/{userId}/roles: not paged, since there are few roles. */
export async function listGrants(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const roles = await listGrantsAs(context.db, administrator, grantOf(request));
  const items = roles.map((role) => renderRole(role, request.baseUrl));
  return answerWhole(request, { member: 'roles', items });
}

/** HEAD .../roles/{roleId} */
export async function checkGrant(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  await checkGrantAs(context.db, administratorOf(context, caller), grantOf(request));
  return { status: 204 };
}

/** PUT .../roles/{roleId} */
export async function grant(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  noteGrant(request);
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => grantRoleAs(trx, administrator, grantOf(request)),
  });
  return { status: 204 };
}

/** DELETE .../roles/{roleId} */
export async function revokeGrant(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  noteGrant(request);
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => revokeRoleAs(trx, administrator, grantOf(request)),
  });
  return { status: 204 };
}

function grantOf({ params }: ApiRequest): Grant {
  const { userId = '', roleId = '', projectId, domainId = '' } = params;
  const place: GrantTarget =
    projectId === undefined ? { accountDomainId: domainId } : { tenantId: projectId };
  return { userId, roleId, place };
}

/** Records the ids of user, role and tenant, as admin-cli does. */
function noteGrant({ audit, params }: ApiRequest): void {
  const { userId: grantedTo, roleId, projectId, domainId } = params;
  audit.note({ grantedTo, roleId, grantedOn: projectId ?? domainId });
}

/**
 * GET /v3/role_assignments. There is neither inheritance nor groups: effective assignments are all assignments, and a
 * query for groups or inherited ones returns none.
 */
export async function listRoleAssignments(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const { query, baseUrl } = request;
  const filter = {
    userId: readParameter(query, 'user.id'),
    roleId: readParameter(query, 'role.id'),
    tenantId: readParameter(query, 'scope.project.id'),
    accountDomainId: readParameter(query, 'scope.domain.id'),
  };
  const includesNames = readFlag(query, 'include_names') ?? false;
  const isOfNobody = ['group.id', 'scope.system', 'scope.OS-INHERIT:inherited_to'].some(
    (name) => readParameter(query, name) !== undefined,
  );
  return await answerList(request, {
    member: 'role_assignments',
    find: async ({ after, limit }) =>
      isOfNobody
        ? []
        : await listAssignmentsAs(context.db, administrator, {
            ...filter,
            after: after === undefined ? undefined : readMarker(after),
            limit,
          }),
    render: (assignment) => renderAssignment(assignment, { baseUrl, includesNames }),
    markerOf: writeMarker,
  });
}

/** Builds a marker, since an assignment has no id. Ids contain no blanks. */
function writeMarker({ userId, roleId, tenantId }: NamedAssignment): string {
  return [userId, roleId, tenantId ?? ''].join(' ');
}

function readMarker(marker: string): RoleAssignmentIds {
  const [userId, roleId, tenantId, ...others] = marker.split(' ');
  if (userId === undefined || roleId === undefined || tenantId === undefined || others.length > 0) {
    throw invalidRequest('marker must come from a link to the next page');
  }
  return { userId, roleId, tenantId };
}
