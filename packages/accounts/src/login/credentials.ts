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
  /** An access key by another name: OpenStack's clients know it as an application credential. */
  readonly method: 'accessKey' | 'application_credential';
  /** Undefined: the key is named by what its owner calls it. */
  readonly accessKeyId?: string;
  readonly named?: KeyName;
  readonly secretKey: string;
}

/** What somebody shows to get a token (Identity s5.2). */
export type Credentials = PasswordCredentials | AccessKeyCredentials;

/** The account as it was named, for counting: the same text, the same counter. */
export function accountNameOf(credentials: Credentials): string {
  if (credentials.method !== 'password') {
    return `key ${credentials.accessKeyId ?? credentials.named?.name ?? ''}`;
  }
  const { user } = credentials;
  return 'id' in user ? `id ${user.id}` : `name ${user.name}`;
}

/** What a key is called, and by whom. */
interface KeyName {
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
