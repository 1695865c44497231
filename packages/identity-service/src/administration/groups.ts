import { getUserAs } from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { administratorOf } from './change-accounts.js';
import { answerWhole } from './list.js';

/** There are no groups: an empty list, for clients that look for them. */
export function listGroups(context: Context, request: ApiRequest, caller: Caller): ApiResponse {
  administratorOf(context, caller);
  return answerWhole(request, { member: 'groups', items: [] });
}

export async function listGroupsOfUser(
  { db, settings }: Context,
  request: ApiRequest,
  { account }: Caller,
): Promise<ApiResponse> {
  const id = request.params['userId'] ?? '';
  await getUserAs(db, account, { id, rules: settings.administration });
  return answerWhole(request, { member: 'groups', items: [] });
}
