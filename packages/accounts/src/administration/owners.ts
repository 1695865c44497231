import type { Database } from '@zonewright/database';
import { findAccessKey } from '../access-keys/access-key-store.js';
import type { AccessKey } from '../access-keys/access-key.js';
import { higherRoles } from '../roles/roles.js';
import { notFound, unauthenticated } from '../shared/problems.js';
import type { Directory } from '../tokens/directory.js';
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

/**
 * Who is to get a key: whoever learns its secret can act as the owner, so an administrator makes none for a user with roles
 * that are not the administrator's to give.
 *
 * @throws ServiceError unauthenticated, not-found
 */
export async function findOwnerOfNewKey(
  directory: Directory,
  caller: Account,
  {
    userId,
    grantableRoles,
  }: { readonly userId: string | undefined; readonly grantableRoles: readonly string[] },
): Promise<Account> {
  const owner = await findOwner(directory, caller, userId);
  if (owner.id === caller.id || isOperator(caller)) return owner;
  const held = owner.assignments.map(({ role }) => role.name);
  if (higherRoles(held, grantableRoles).length > 0) throw unauthenticated();
  return owner;
}

/** A key by its id, and whose it is said to be; undefined: the caller's own. */
interface AccessKeyReference {
  readonly id: string;
  readonly userId: string | undefined;
}

/**
 * A key that the caller may see; a deleted one, which lists still show, is found too.
 *
 * @throws ServiceError not-found when it is unknown, purged, or another user's than was named.
 */
export async function getOwnedAccessKey(
  { db, directory }: { readonly db: Database; readonly directory: Directory },
  caller: Account,
  { id, userId }: AccessKeyReference,
): Promise<AccessKey> {
  const owner = await findOwner(directory, caller, userId);
  const key = await findAccessKey(db, id);
  if (key?.userId !== owner.id || key.status === 'purged') throw notFound('access key not found');
  return key;
}
