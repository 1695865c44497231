import { hashPassword } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { isImportable, MAX_IMPORTED_LENGTH } from '../access-keys/access-key-rules.js';
import { parsePassword } from '../users/passwords.js';
import type { AccountParts, TransferredSecret } from './account-parts.js';
import { exportIdentity, type SecretBox } from './secret-box.js';

/** Collects problems with their paths. */
interface Problems {
  add(place: string, what: string): void;
}

/** Secrets of a document after decryption. */
export interface OpenedSecrets {
  /** PHC strings, and passwords that are not hashed yet, by user id. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly passwords: ReadonlyMap<string, string>;
  /** Secrets by access key id; keys without a secret are missing. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Format that verifyPassword supports. */
const ARGON2 = /^\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

/** Decrypts all secrets of a document, and reports those that cannot be decrypted or used here. */
export function openSecrets(
  { users, accessKeys }: Pick<AccountParts, 'users' | 'accessKeys'>,
  box: SecretBox,
  problems: Problems,
): OpenedSecrets {
  const hashes = new Map<string, string>();
  const passwords = new Map<string, string>();
  const keys = new Map<string, string>();
  for (const [index, { id, passwordHash, password }] of users.entries()) {
    const place = `users[${index}]`;
    if (password !== undefined) tryPassword(place, id, password);
    if (passwordHash !== undefined && passwordHash !== null) tryHash(place, id, passwordHash);
  }
  for (const [index, { id, secret }] of accessKeys.entries()) {
    if (secret === undefined) continue;
    const opened = box.read(secret, exportIdentity.accessKey(id));
    if (opened === undefined || opened === '')
      problems.add(`accessKeys[${index}].secret`, 'cannot be decrypted');
    else if (isImportable(opened)) keys.set(id, opened);
    else {
      problems.add(
        `accessKeys[${index}].secret`,
        `has more than ${MAX_IMPORTED_LENGTH} characters`,
      );
    }
  }
  return { hashes, passwords, keys };

  function tryHash(place: string, id: string, secret: TransferredSecret): void {
    const hash = box.read(secret, exportIdentity.password(id));
    if (hash === undefined) problems.add(`${place}.passwordHash`, 'cannot be decrypted');
    else if (ARGON2.test(hash)) hashes.set(id, hash);
    else problems.add(`${place}.passwordHash`, 'is not an Argon2 hash in PHC form');
  }
  function tryPassword(place: string, id: string, password: string): void {
    try {
      passwords.set(id, parsePassword(password));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      problems.add(`${place}.password`, error.message);
    }
  }
}

/** Returns the hash of a user's password. Computes it if the document contains the password itself. */
export async function hashOf(id: string, secrets: OpenedSecrets): Promise<string | null> {
  const password = secrets.passwords.get(id);
  return password === undefined ? (secrets.hashes.get(id) ?? null) : await hashPassword(password);
}
