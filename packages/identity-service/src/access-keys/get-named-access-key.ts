import type { Context } from '../context/context.js';
import { type AccessKey, getOwnedAccessKey, notFound } from '@zonewright/accounts';
import type { ApiRequest, Caller } from '../http/route.js';
import { readUserId } from './read-query.js';

/**
 * The key that a request's path and userId name.
 *
 * @throws ServiceError not-found when it is unknown, deleted, or another user's than was named.
 */
export async function getNamedAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<AccessKey> {
  const key = await getEvenDeletedAccessKey(context, request, caller);
  if (key.status === 'deleted') throw notFound('access key not found');
  return key;
}

/** The same; a deleted key, which lists still show, is found too. */
export async function getEvenDeletedAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<AccessKey> {
  const id = request.params['accesskeyId'] ?? '';
  return await getOwnedAccessKey(context, caller.account, { id, userId: readUserId(request) });
}
