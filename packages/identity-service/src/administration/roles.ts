import {
  changeRoleAs,
  createRoleAs,
  deleteRoleAs,
  type Extra,
  getRoleAs,
  listRolesAs,
  requireOperator,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { NEW_ROLE, ROLE_CHANGE } from '../schemas/administration-requests.js';
import { administratorOf, changeAccounts } from './change-accounts.js';
import { answer, answerList, namesOf } from '../http/lists.js';
import { renderRole } from '../representation/administration.js';

export async function listRoles(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const { query, baseUrl } = request;
  const name = readParameter(query, 'name');
  // This service does not have Keystone's domain-specific roles.
  const isOfDomain = readParameter(query, 'domain_id') !== undefined;
  return await answerList(request, {
    member: 'roles',
    find: async (page) =>
      isOfDomain ? [] : await listRolesAs(context.db, administrator, { name, ...page }),
    render: (role) => renderRole(role, baseUrl),
    markerOf: ({ id }) => id,
  });
}

export async function getRole(
  context: Context,
  { params, baseUrl }: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const administrator = administratorOf(context, caller);
  const role = await getRoleAs(context.db, administrator, params['roleId'] ?? '');
  return answer(200, { role: renderRole(role, baseUrl) });
}

export async function createRole(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireOperator(administratorOf(context, caller));
  const { name, ...rest } = NEW_ROLE.read(request.body);
  const extra = extraOf(rest);
  const role = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => createRoleAs(trx, administrator, { name, extra }),
  });
  request.audit.note({ id: role.id });
  return answer(201, { role: renderRole(role, request.baseUrl) });
}

export async function updateRole(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireOperator(administratorOf(context, caller));
  const id = request.params['roleId'] ?? '';
  const { name, ...rest } = ROLE_CHANGE.read(request.body);
  const extra = extraOf(rest);
  request.audit.note({ id, changed: namesOf({ name, ...extra }) });
  const role = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) =>
      changeRoleAs(trx, administrator, { id, change: { name, extra } }),
  });
  return answer(200, { role: renderRole(role, request.baseUrl) });
}

/** The description of a role is stored with its other members, since it has no meaning here. */
function extraOf({
  description,
  extra,
}: {
  readonly description: string | undefined;
  readonly extra: Extra | undefined;
}): Extra | undefined {
  return description === undefined ? extra : { ...extra, description };
}

export async function deleteRole(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  requireOperator(administratorOf(context, caller));
  const id = request.params['roleId'] ?? '';
  request.audit.note({ id });
  await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => deleteRoleAs(trx, administrator, id),
  });
  return { status: 204 };
}
