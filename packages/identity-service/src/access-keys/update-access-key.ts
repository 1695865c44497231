import type { Context } from '../context/context.js';
import {
  accessKeyStateOf,
  checkCredentials,
  invalidRequest,
  updateAccessKeyStatus,
} from '@zonewright/accounts';
import { Members, represent } from '@zonewright/http-api';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { commitInTime } from './commit-in-time.js';
import { getEvenDeletedAccessKey } from './get-named-access-key.js';
import { readStatus } from './read-access-key.js';
import { ACCESS_KEY } from '../representation/render-access-key.js';
import { showAccessKey } from './show-access-key.js';

/** PUT .../accesskeys/{accesskeyId}: Update User Access Key (Identity s4). Only the status can change. */
export async function updateAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const status = Members.read(request.body, (root) => {
    const members = root.object('accessKey');
    if (!members.has('status')) members.problem('status', 'is required');
    return readStatus(members) ?? 'active';
  });
  const key = await getEvenDeletedAccessKey(context, request, caller);
  const now = new Date(context.clock.now());
  const { id, userId } = key;
  const updated = await commitInTime(context, request, async (trx) => {
    const row = await updateAccessKeyStatus(trx, { id, userId, status, now });
    await checkCredentials(trx, caller.account);
    return row;
  });
  if (updated === undefined) {
    throw invalidRequest(`a key that is ${accessKeyStateOf(key, now)} cannot be updated`);
  }
  context.verifiedCredentials.clear();
  return { status: 200, body: represent(ACCESS_KEY, showAccessKey(context, updated)) };
}
