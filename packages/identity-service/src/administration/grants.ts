import {
  checkGrantAs,
  type Grant,
  type GrantPlace,
  grantRoleAs,
  listGrantsAs,
  revokeRoleAs,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { administratorOf, changeAccounts } from './change-accounts.js';
import { answerWhole } from './list.js';
import { renderRole } from '../representation/render-administration.js';

/** GET .../users/{userId}/roles: as many as there are roles. */
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
  const place: GrantPlace =
    projectId === undefined ? { accountDomainId: domainId } : { tenantId: projectId };
  return { userId, roleId, place };
}

/** As the operator's command names what it granted: the ids of user, role and tenant. */
function noteGrant({ audit, params }: ApiRequest): void {
  const { userId: grantedTo, roleId, projectId, domainId } = params;
  audit.note({ grantedTo, roleId, grantedOn: projectId ?? domainId });
}
