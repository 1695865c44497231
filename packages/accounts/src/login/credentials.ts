import { type Database, queryRow } from '@zonewright/database';
import {
  findAccountByReference,
  isReferredTo,
  type UserReference,
} from '../users/account-store.js';

export interface PasswordCredentials {
  readonly method: 'password';
  readonly user: UserReference;
  readonly password: string;
}

export interface AccessKeyCredentials {
  /** Clients of OpenStack call an access key an application credential. */
  readonly method: 'accessKey' | 'application_credential';
  /** Undefined if the key is given by its name. */
  readonly accessKeyId?: string;
  readonly named?: KeyName;
  readonly secretKey: string;
}

/** Credentials that are exchanged for a token (Identity s5.2). */
export type Credentials = PasswordCredentials | AccessKeyCredentials;

/** Returns the account as named in the request. Counters use it as their key. */
export function accountNameOf(credentials: Credentials): string {
  if (credentials.method !== 'password') {
    return `key ${credentials.accessKeyId ?? credentials.named?.name ?? ''}`;
  }
  const { user } = credentials;
  return 'id' in user ? `id ${user.id}` : `name ${user.name}`;
}

/** Name of a key and the user who owns it. */
interface KeyName {
  readonly name: string;
  readonly user: UserReference;
}

/** Finds the id of a user's usable key by its name. */
export async function findAccessKeyIdNamed(
  db: Database,
  { name, user }: KeyName,
): Promise<string | undefined> {
  const found = await findAccountByReference(db, user);
  const isReferred = found !== undefined && isReferredTo(found.account, user);
  // The query also runs for an unknown user, so that its duration does not reveal whether the user exists.
  const userId = isReferred ? found.account.id : '';
  const key = await queryRow<{ id: string }>(
    db,
    `select k.id from identity.access_keys as k
      where k.user_id = ? and k.name = ? and k.status in ('active', 'inactive')`,
    [userId, name],
  );
  return key?.id;
}
