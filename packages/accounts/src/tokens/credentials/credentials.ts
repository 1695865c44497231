import type { KeyName } from '../../access-keys/named-key-store.js';
import type { UserReference } from '../../users/account-store.js';

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
