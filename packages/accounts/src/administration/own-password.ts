import { type Database, verifyPassword } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { PasswordAttempt } from '../login/credential-verifier.js';
import { unauthenticated } from '../shared/problems.js';
import { findAccountByReference } from '../users/account-store.js';
import type { Account } from '../users/account.js';
import { parseChosenPassword } from '../users/passwords.js';
import { replaceUserPassword } from '../users/user-store.js';

interface PasswordChange {
  readonly original: string;
  readonly password: string;
}

/** Verification and hashing of passwords, which occupy a processor core for some time. */
interface PasswordWork {
  /** Verifies a password within the limits. @throws ServiceError (rate-limited), Overload */
  readonly attempt: (attempt: PasswordAttempt) => Promise<boolean>;
  readonly hash: (password: string) => Promise<string>;
}

/**
 * Replaces the password of a user who knows the old one, and ends all older tokens. If two changes run at the same
 * time, the second fails, since its old password is no longer valid.
 *
 * @throws ServiceError unauthenticated, invalid, forbidden for a user without a password
 */
export async function changeOwnPassword(
  db: Database,
  { id, name, credentialGeneration }: Account,
  { change, work }: { readonly change: PasswordChange; readonly work: PasswordWork },
): Promise<void> {
  const password = parseChosenPassword(change.password, name);
  const from = (await findAccountByReference(db, { id }))?.passwordHash;
  if (from === undefined || from === null) {
    throw new ServiceError('forbidden', 'this user has no password and logs in with an access key');
  }
  const verify = () => verifyPassword(from, change.original);
  const isRight = await work.attempt({ subject: id, credentialGeneration, verify });
  if (!isRight) throw unauthenticated();
  const to = await work.hash(password);
  if (!(await replaceUserPassword(db, id, { from, to }))) throw unauthenticated();
}
