import { type Database, queryRow } from '@zonewright/database';
import {
  findAccountByReference,
  isReferredTo,
  type UserReference,
} from '../users/account-store.js';

/** What a key is called, and by whom. */
export interface KeyName {
  readonly name: string;
  readonly user: UserReference;
}

/** The id of the key that a user calls so, if it can be used. */
export async function findAccessKeyIdNamed(
  db: Database,
  { name, user }: KeyName,
): Promise<string | undefined> {
  const found = await findAccountByReference(db, user);
  const isReferred = found !== undefined && isReferredTo(found.account, user);
  // Asked for nobody, too: that there is no such user must not show.
  const userId = isReferred ? found.account.id : '';
  const key = await queryRow<{ id: string }>(
    db,
    `select k.id from identity.access_keys as k
      where k.user_id = ? and k.name = ? and k.status in ('active', 'inactive')`,
    [userId, name],
  );
  return key?.id;
}
