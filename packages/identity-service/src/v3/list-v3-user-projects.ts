import { findOwner } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { answerV3Projects } from './list-v3-projects.js';

/**
 * GET /v3/users/{userId}/projects: what `openstack project list --my-projects` asks; one's own, or as an
 * administrator those of a user of the same account domain.
 */
export async function listV3UserProjects(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const owner = await findOwner(context.directory, account, request.params['userId']);
  return await answerV3Projects(context, request, owner);
}
