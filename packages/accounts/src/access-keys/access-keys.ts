import {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  type Database,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  generateAccessKeyId,
  generateSecretKey,
  type Keyring,
  lockName,
} from '@zonewright/database';
import { type Clock, ServiceError, systemClock } from '@zonewright/service-kit';
import { findAccountById } from '../users/account-store.js';
import type { Account } from '../users/account.js';
import { updateTokensValidAfter, type User } from '../users/user-store.js';
import { checkCredentials, getUser } from '../users/users.js';
import {
  completeValidity,
  isAccessKeyAlgorithm,
  isImportable,
  isKeyName,
  isSoundValidity,
  MAX_IMPORTED_LENGTH,
  MAX_KEY_NAME_LENGTH,
} from './access-key-rules.js';
import { countAccessKeys, insertAccessKeys } from './access-key-store.js';
import {
  type AccessKeySummary,
  deactivateAccessKeys,
  findAccessKeySummary,
  listActiveAccessKeyIds,
  purgeDeletedAccessKeys,
  revokeAccessKeyRow,
} from './access-key-summary-store.js';
import { type NewAccessKey, sealAccessKeySecret } from './access-key.js';
import {
  completeRestriction,
  type RestrictionContent,
  type RequestedRestriction,
} from './restriction.js';

interface CreateAccessKeyInput {
  /** Id or name of the user. */
  readonly user: string;
  readonly id?: string | undefined;
  readonly algorithm?: string | undefined;
  /** Length in bits, a multiple of 8. */
  readonly keyLength?: number | undefined;
  readonly validFrom?: Date | undefined;
  readonly validTo?: Date | undefined;
  readonly name?: string | undefined;
  /** Undefined if the key is unrestricted. */
  readonly restriction?: RequestedRestriction | undefined;
}

/** New access key. No other function of this package returns a secret. */
interface CreatedAccessKey extends AccessKeySummary {
  readonly secretKey: string;
}

/** @throws ServiceError conflict, invalid, not-found (the user) */
export async function createAccessKey(
  db: Database,
  keyring: Keyring,
  input: CreateAccessKeyInput,
  clock: Clock = systemClock,
): Promise<CreatedAccessKey> {
  const { algorithm = DEFAULT_ACCESS_KEY_ALGORITHM, keyLength = ACCESS_KEY_LENGTH.default } = input;
  if (!isAccessKeyAlgorithm(algorithm)) {
    const known = ACCESS_KEY_ALGORITHMS.join(', ');
    throw new ServiceError('invalid', `the algorithm must be one of ${known}`);
  }
  const secretKey = generateSecretKey(keyLength);
  const id = input.id ?? generateAccessKeyId();
  const key = await importAccessKey(
    db,
    keyring,
    { ...input, id, secretKey, algorithm, keyLength },
    clock,
  );
  return { ...key, secretKey };
}

interface ImportAccessKeyInput extends CreateAccessKeyInput {
  readonly id: string;
  readonly secretKey: string;
  /** The status; the default is active. */
  readonly status?: 'active' | 'inactive' | undefined;
}

/**
 * Imports a key with an existing id and secret.
 *
 * @throws ServiceError conflict, invalid, not-found (the user)
 */
export async function importAccessKey(
  db: Database,
  keyring: Keyring,
  input: ImportAccessKeyInput,
  clock: Clock = systemClock,
): Promise<AccessKeySummary> {
  checkLength('the id of an access key', input.id);
  checkLength('a secret key', input.secretKey);
  const validity = completeValidity(input, new Date(clock.now()));
  if (!isSoundValidity(validity)) {
    throw new ServiceError(
      'invalid',
      'the validity of a key must end after it begins: choose a later end',
    );
  }
  if (input.name !== undefined && !isKeyName(input.name)) {
    throw new ServiceError('invalid', `a name must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
  }
  const user = await getUser(db, input.user);
  const restriction = await findRestrictionFor(db, user.id, input.restriction);
  const key = {
    id: input.id,
    userId: user.id,
    accountDomainId: user.accountDomainId,
    algorithm: input.algorithm ?? DEFAULT_ACCESS_KEY_ALGORITHM,
    keyLength: input.keyLength,
    status: input.status ?? 'active',
    name: input.name,
    restriction,
    ...validity,
    secret: sealAccessKeySecret(keyring, { id: input.id, restriction }, input.secretKey),
  };
  await insertAccessKeys(db, [key]);
  return await getAccessKey(db, key.id);
}

async function findRestrictionFor(
  db: Database,
  userId: string,
  wish: RequestedRestriction | undefined,
): Promise<RestrictionContent | undefined> {
  if (wish === undefined) return undefined;
  const owner = await findAccountById(db, userId);
  if (owner === undefined) throw new ServiceError('not-found', `no user has the id "${userId}"`);
  return completeRestriction(wish, owner, undefined);
}

/** @throws ServiceError not-found */
async function getAccessKey(db: Database, id: string): Promise<AccessKeySummary> {
  const key = await findAccessKeySummary(db, id);
  if (key === undefined) throw new ServiceError('not-found', `no access key has the id "${id}"`);
  return key;
}

/**
 * Revokes a key permanently and erases its secret.
 *
 * @throws ServiceError not-found, conflict if its owner has deleted it
 */
export async function revokeAccessKey(db: Database, id: string): Promise<AccessKeySummary> {
  const key = await getAccessKey(db, id);
  if (key.status === 'deleted' || key.status === 'purged') {
    throw new ServiceError('conflict', `the access key "${id}" is ${key.status}`);
  }
  await revokeAccessKeyRow(db, id);
  return await getAccessKey(db, id);
}

const DAY_MS = 24 * 3600 * 1000;

/** Purges keys that were deleted more than `days` ago (D-ID). @returns the ids */
export async function purgeAccessKeys(
  db: Database,
  days: number,
  clock: Clock = systemClock,
): Promise<string[]> {
  return await purgeDeletedAccessKeys(db, new Date(clock.now() - days * DAY_MS));
}

function checkLength(what: string, text: string): void {
  if (isImportable(text)) return;
  throw new ServiceError('invalid', `${what} must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
}

/**
 * Maximum number of deleted keys, as a multiple of the quota. Deleted keys are stored until they are purged, so
 * repeated creation and deletion must not fill the table.
 */
const DELETED_SHARE = 10;

/**
 * Inserts keys for their owners, all or none, on behalf of the token of `caller`.
 *
 * @throws ServiceError over-quota if an owner would have too many, conflict if an id is taken
 */
export async function addAccessKeys(
  transaction: Database,
  keys: readonly NewAccessKey[],
  { caller, quota }: { readonly caller: Account; readonly quota: number },
): Promise<void> {
  const added = new Map<string, number>();
  for (const { userId } of keys) added.set(userId, (added.get(userId) ?? 0) + 1);
  // A fixed order prevents deadlocks between two requests.
  for (const [userId, count] of [...added].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    // Two requests must not count the same keys at the same time.
    await lockName(transaction, 'accessKeys', userId);
    await checkQuota(transaction, quota, { userId, count });
  }
  await insertAccessKeys(transaction, keys);
  await checkCredentials(transaction, caller);
}

async function checkQuota(
  transaction: Database,
  quota: number,
  { userId, count }: { readonly userId: string; readonly count: number },
): Promise<void> {
  const { usable, deleted } = await countAccessKeys(transaction, userId);
  if (usable + count > quota) {
    const details = `a user can have at most ${quota} access keys, and this user has ${usable}`;
    throw new ServiceError('over-quota', details, { details });
  }
  if (deleted >= quota * DELETED_SHARE) {
    const details = `the user has ${deleted} deleted access keys that are not yet purged; the limit is ${quota * DELETED_SHARE}`;
    throw new ServiceError('over-quota', details, { details });
  }
}

/** User whose tokens and keys were revoked. */
interface RevokedUser extends User {
  readonly deactivatedAccessKeys: readonly string[];
  /** Ids of the keys that can still get tokens. */
  readonly activeAccessKeys: readonly string[];
}

/**
 * Ends all tokens of a user. With `keys`, also deactivates all access keys, which could get new tokens. A key that is
 * being created with one of the tokens is either deactivated or rejected, since the first statement waits for it.
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
