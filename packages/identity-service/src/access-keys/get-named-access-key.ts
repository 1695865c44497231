import type { Context } from '../context.js';
import { notFound } from '../http/problems.js';
import type { ApiRequest, Caller } from '../http/route.js';
import type { AccessKey } from './access-key.js';
import { findAccessKey } from './access-key-store.js';
import { findOwner } from '../accounts/find-owner.js';
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
  const owner = await findOwner(context, caller.account, readUserId(request));
  const key = await findAccessKey(context.db, request.params['accesskeyId'] ?? '');
  if (key?.userId !== owner.id || key.status === 'purged') throw notFound('access key not found');
  return key;
}
