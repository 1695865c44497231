import {
  createRoleAs,
  deleteRoleAs,
  getRoleAs,
  listRolesAs,
  renameRoleAs,
  requireOperator,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { NAMED_ROLE } from '../schemas/administration-requests.js';
import { administratorOf, changeAccounts } from './change-accounts.js';
import { answer, answerList } from '../http/lists.js';
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
  const { name } = NAMED_ROLE.read(request.body);
  const role = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => createRoleAs(trx, administrator, name),
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
  const { name } = NAMED_ROLE.read(request.body);
  request.audit.note({ id });
  const role = await changeAccounts(context, request, {
    caller,
    change: (trx, administrator) => renameRoleAs(trx, administrator, { id, name }),
  });
  return answer(200, { role: renderRole(role, request.baseUrl) });
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
