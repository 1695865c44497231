import type { UserReference } from '../../users/account-store.js';

export interface PasswordCredentials {
  readonly method: 'password';
  readonly user: UserReference;
  readonly password: string;
}

export interface AccessKeyCredentials {
  readonly method: 'accessKey';
  readonly accessKeyId: string;
  readonly secretKey: string;
}

/** What somebody shows to get a token (Identity s5.2). */
export type Credentials = PasswordCredentials | AccessKeyCredentials;

/** The account as it was named, for counting: the same text, the same counter. */
export function accountNameOf(credentials: Credentials): string {
  if (credentials.method === 'accessKey') return `key ${credentials.accessKeyId}`;
  const { user } = credentials;
  return 'id' in user ? `id ${user.id}` : `name ${user.name}`;
}
