import type { Database } from '@zonewright/database';
import type { Account } from '../users/account.js';
import type { Directory } from '../directory/directory.js';
import { findOwner } from '../directory/find-owner.js';
import { notFound } from '../problems/problems.js';
import type { AccessKey } from './access-key.js';
import { findAccessKey } from './access-key-store.js';

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
