import type { Context } from '../context/context.js';
import { markAccessKeyDeleted, notFound } from '@zonewright/accounts';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { commitInTime } from './commit-in-time.js';
import { getNamedAccessKey } from './get-named-access-key.js';

/** DELETE .../accesskeys/{accesskeyId}: Delete User Access Key (Identity s4). Its secret is erased. */
export async function deleteAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const { id, userId } = await getNamedAccessKey(context, request, caller);
  const now = new Date(context.clock.now());
  const isDone = await commitInTime(context, request, (trx) =>
    markAccessKeyDeleted(trx, { id, userId, now }),
  );
  if (!isDone) throw notFound('access key not found');
  context.verifiedCredentials.clear();
  return { status: 204 };
}
