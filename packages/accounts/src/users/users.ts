import { type Database, hashPassword, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { chooseId, parseDescription, parseName } from '../shared/names.js';
import { unauthenticated } from '../shared/problems.js';
import { type AccountStatus, DEFAULT_ACCOUNT_DOMAIN, getAccountDomain } from './account-domains.js';
import { findCredentialGeneration } from './account-store.js';
import type { Account } from './account.js';
import { parsePassword } from './passwords.js';
import {
  findUser,
  insertUser,
  updateUserDescription,
  updateUserName,
  updateUserPassword,
  updateUserStatus,
  type User,
} from './user-store.js';

interface CreateUserInput {
  readonly name: string;
  readonly id?: string | undefined;
  /** The id or name; the default is the default account domain. */
  readonly accountDomain?: string | undefined;
  /** If absent, the user can authenticate only with access keys. */
  readonly password?: string | undefined;
}

/** @throws ServiceError conflict, invalid, not-found (the account domain) */
export async function createUser(db: Database, input: CreateUserInput): Promise<User> {
  const domain = await getAccountDomain(db, input.accountDomain ?? DEFAULT_ACCOUNT_DOMAIN.id);
  const passwordHash =
    input.password === undefined ? null : await hashPassword(parsePassword(input.password));
  return await addUser(db, { ...input, accountDomainId: domain.id, passwordHash });
}

interface AddUserInput extends Pick<CreateUserInput, 'name' | 'id'> {
  readonly accountDomainId: string;
  readonly passwordHash: string | null;
}

/** Creates a user with a hashed password. @throws ServiceError conflict, invalid */
export async function addUser(db: Database, input: AddUserInput): Promise<User> {
  const { accountDomainId, passwordHash } = input;
  const user = { id: chooseId(input.id), name: parseName('the name', input.name) };
  return await orConflict(insertUser(db, { ...user, accountDomainId, passwordHash }), {
    users_pkey: `a user with the id "${user.id}" already exists`,
    ...userNameConflict(user.name),
  });
}

/** @throws ServiceError conflict, invalid */
export async function renameUser(db: Database, id: string, name: string): Promise<User> {
  return await orConflict(
    updateUserName(db, id, parseName('the name', name)),
    userNameConflict(name),
  );
}

/** Changes the given members. An empty text removes a value. @throws ServiceError invalid */
export async function describeUser(
  db: Database,
  user: User,
  change: { readonly description: string | undefined; readonly email: string | undefined },
): Promise<User> {
  const { description = user.description, email = user.email } = change;
  return await updateUserDescription(db, user.id, {
    description: parseDescription(description || null),
    email: email ? parseName('the e-mail address', email) : null,
  });
}

function userNameConflict(name: string): Record<string, string> {
  return { users_name_unique: `a user named "${name}" already exists` };
}

/** Returns a user by id or name. @throws ServiceError not-found */
export async function getUser(db: Database, reference: string): Promise<User> {
  const user = await findUser(db, reference);
  if (user === undefined) {
    throw new ServiceError('not-found', `no user has the id or name "${reference}"`);
  }
  return user;
}

/** @throws ServiceError not-found */
export async function setUserStatus(
  db: Database,
  reference: string,
  status: AccountStatus,
): Promise<User> {
  const { id } = await getUser(db, reference);
  return await updateUserStatus(db, id, status);
}

/** Sets a new password and ends all tokens of the old one. @throws ServiceError not-found, invalid */
export async function setUserPassword(
  db: Database,
  reference: string,
  password: string,
): Promise<User> {
  const { id } = await getUser(db, reference);
  return await updateUserPassword(db, id, await hashPassword(parsePassword(password)));
}

/**
 * Fails if the credentials of the user have changed since the request began, so that a new key does not survive the
 * change. It must be called at the end of the transaction that creates or activates an access key. That transaction
 * locks the row of the user, and a change of credentials waits for the lock, so one of the two sees the other.
 *
 * @throws ServiceError unauthenticated if the credentials have changed since the account was read
 */
export async function checkCredentials(transaction: Database, caller: Account): Promise<void> {
  const generation = await findCredentialGeneration(transaction, caller.id);
  if (generation !== caller.credentialGeneration) throw unauthenticated();
}
