import { type Account, findOwner, isOperator, notFound } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { answerV3Projects } from './list-v3-projects.js';

/**
 * GET /v3/users/{userId}/projects: what `openstack project list --my-projects` asks; one's own, or as an
 * administrator those of a user of the same account domain, as the operator those of anybody.
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
