import type { Directory } from './directory.js';
import { notFound, unauthenticated } from '../problems/problems.js';
import { type Account, isAdministratorOf, isOperator } from '../users/account.js';

/**
 * Whose things a request is about: the caller's own, or another user's for an administrator of that user's account
 * domain (decisions 2, Access keys).
 *
 * @throws ServiceError unauthenticated for anybody else; not-found when an administrator names an unknown user.
 */
export async function findOwner(
  directory: Directory,
  caller: Account,
  userId: string | undefined,
): Promise<Account> {
  if (userId === undefined || userId === '' || userId === caller.id) return caller;
  // Asked first, so that only administrators learn which users exist.
  if (!isAdministratorOf(caller, caller.domain.id)) throw unauthenticated();
  const owner = await directory.findAccount(userId);
  if (owner === undefined) throw notFound('user not found');
  if (!isAdministratorOf(caller, owner.domain.id)) throw unauthenticated();
  // With a key of the operator's an administrator of one account domain would be that of all.
  if (isOperator(owner) && !isOperator(caller)) throw unauthenticated();
  return owner;
}
