import {
  type Account,
  findOwner,
  isOperator,
  listAllTenantsOfUser,
  notFound,
} from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { V3_PROJECTS } from '../representation/v3-token.js';

/** GET /v3/auth/projects: List Tenants in version 3. */
export async function listV3Projects(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  return await answerV3Projects(context, request, account);
}

/** Returns the list of a user's projects, with the requested path. */
async function answerV3Projects(
  { db }: Context,
  { baseUrl, path }: ApiRequest,
  account: Account,
): Promise<ApiResponse> {
  const tenants = await listAllTenantsOfUser(db, account.id);
  const projects = tenants.map((tenant) => ({
    tenant,
    selfUrl: `${baseUrl}/v3/projects/${tenant.id}`,
  }));
  const selfUrl = baseUrl + path;
  return { status: 200, body: represent(V3_PROJECTS, { projects, selfUrl }) };
}

/**
 * GET /v3/users/{userId}/projects, for `openstack project list --my-projects`. Users can list their own projects,
 * administrators those of users in their account domain, and the operator those of any user.
 */
export async function listV3UserProjects(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const owner = await findSubject(context, account, request.params['userId'] ?? '');
  return await answerV3Projects(context, request, owner);
}

async function findSubject(
  { directory }: Context,
  account: Account,
  userId: string,
): Promise<Account> {
  if (!isOperator(account)) return await findOwner(directory, account, userId);
  const user = await directory.findAccount(userId);
  if (user === undefined) throw notFound('user not found');
  return user;
}
