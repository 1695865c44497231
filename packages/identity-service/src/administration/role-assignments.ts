import {
  invalidRequest,
  listAssignmentsAs,
  type RoleAssignmentIds,
  type ShownAssignment,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameter.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { administratorOf } from './change-accounts.js';
import { answerList, readFlag } from './list.js';
import { renderAssignment } from '../representation/render-administration.js';

/**
 * GET /v3/role_assignments. Nothing is inherited here, and there are no groups: what is effective is what is assigned, and what is
 * asked about either of them is nothing.
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

/** An assignment has no id; ids hold no blanks. */
function writeMarker({ userId, roleId, tenantId }: ShownAssignment): string {
  return [userId, roleId, tenantId ?? ''].join(' ');
}

function readMarker(marker: string): RoleAssignmentIds {
  const [userId, roleId, tenantId, ...others] = marker.split(' ');
  if (userId === undefined || roleId === undefined || tenantId === undefined || others.length > 0) {
    throw invalidRequest('marker must be the one of a link to the next page');
  }
  return { userId, roleId, tenantId };
}
