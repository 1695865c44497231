import type { Database } from '@zonewright/database';
import { updateTokensValidAfter, type User } from '../users/user-store.js';
import { getUser } from '../users/users.js';
import { deactivateAccessKeys, listActiveAccessKeyIds } from './access-key-summary-store.js';

/** What became of a user's tokens and keys. */
interface RevokedUser extends User {
  /** Ids. */
  readonly deactivatedAccessKeys: readonly string[];
  /** Ids of those that go on to get tokens. */
  readonly activeAccessKeys: readonly string[];
}

/**
 * Ends every token of a user, and with `keys` all that could get new ones but the password. A key that is being made with
 * one of these tokens either is among those keys or is refused: the first statement waits for it.
 *
 * @throws ServiceError not-found
 */
export async function revokeEverything(
  db: Database,
  reference: string,
  { keys }: { readonly keys: boolean },
): Promise<RevokedUser> {
  const { id } = await getUser(db, reference);
  return await db.transaction(async (trx) => ({
    ...(await updateTokensValidAfter(trx, id)),
    deactivatedAccessKeys: keys ? await deactivateAccessKeys(trx, id) : [],
    activeAccessKeys: await listActiveAccessKeyIds(trx, id),
  }));
}
