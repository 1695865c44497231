import type { Database } from '@zonewright/database';
import { findAccessKey } from '../access-keys/access-key-store.js';
import type { AccessKey } from '../access-keys/access-key.js';
import { higherRoles } from '../roles/roles.js';
import { notFound, unauthenticated } from '../shared/problems.js';
import type { Directory } from '../tokens/directory.js';
import { type Account, isAdministratorOf, isOperator } from '../users/account.js';

/**
 * Returns the owner that a request is about: the caller, or another user if the caller administers that user's account
 * domain (D-ACC).
 *
 * @throws ServiceError unauthenticated for other callers; not-found if an administrator names an unknown user
 */
export async function findOwner(
  directory: Directory,
  caller: Account,
  userId: string | undefined,
): Promise<Account> {
  if (userId === undefined || userId === '' || userId === caller.id) return caller;
  // This check comes first, so that only administrators learn which users exist.
  if (!isAdministratorOf(caller, caller.domain.id)) throw unauthenticated();
  const owner = await directory.findAccount(userId);
  if (owner === undefined) throw notFound('user not found');
  if (!isAdministratorOf(caller, owner.domain.id)) throw unauthenticated();
  // With a key of the operator, an administrator of one account domain would administer all of them.
  if (isOperator(owner) && !isOperator(caller)) throw unauthenticated();
  return owner;
}

/**
 * Returns the owner of a new key. A holder of the secret can act as the owner, so an administrator cannot create a key
 * for a user who has roles that only the operator grants.
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

/** Id of a key, and its owner as given by the caller. Undefined means the caller. */
interface AccessKeyReference {
  readonly id: string;
  readonly userId: string | undefined;
}

/**
 * Returns a key that the caller may see. Deleted keys are included, since lists contain them.
 *
 * @throws ServiceError not-found if the key is unknown, purged, or owned by a user who was not named
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
