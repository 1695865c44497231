import type { Context } from '../context/context.js';
import type { ApiRequest, Caller } from '../http/route.js';
import {
  type Account,
  addAccessKeys,
  findOwnerOfNewKey,
  type NewAccessKey,
} from '@zonewright/accounts';
import { commitInTime } from './commit-in-time.js';

/** Gives keys to their owners, all or none, unless that takes too long. @throws ServiceError */
export async function storeAccessKeys(
  context: Context,
  request: ApiRequest,
  { account }: Caller,
  keys: readonly NewAccessKey[],
): Promise<void> {
  const by = { caller: account, quota: context.settings.accessKeyQuota };
  await commitInTime(context, request, (trx) => addAccessKeys(trx, keys, by));
}

/** Whose the new key is to be; undefined: the caller's own. @throws ServiceError */
export async function getOwnerOfNewKey(
  { directory, settings }: Context,
  { account }: Caller,
  userId: string | undefined,
): Promise<Account> {
  const { grantableRoles } = settings.administration;
  return await findOwnerOfNewKey(directory, account, { userId, grantableRoles });
}
