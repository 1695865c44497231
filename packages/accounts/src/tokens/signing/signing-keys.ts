import { randomBytes } from 'node:crypto';
import { type Database, type Keyring, orConflict, secretIdentity } from '@zonewright/database';
import { type Clock, ServiceError, systemClock } from '@zonewright/service-kit';
import { TOKEN_LIFETIME_MS } from '../claims/token-claims.js';
import {
  demotePrimarySigningKey,
  findSigningKey,
  insertPrimarySigningKey,
  listSigningKeys,
  type SigningKey,
  updateSigningKeyRetired,
} from './signing-key-store.js';

/** HS256 wants a key of at least the size of its hash (RFC 7518 s3.2). */
const SECRET_BYTES = 32;
/** The id stands in every token, so it is short; it only has to tell a handful of keys apart. */
const ID_BYTES = 4;
/**
 * A minute more than a token lives, since a service that lost its connection notices up to some seconds later that another
 * key signs, and clocks differ.
 */
const IN_USE_MS = TOKEN_LIFETIME_MS + 60_000;

/**
 * A new key signs from now on; the older ones go on verifying, so no token is lost.
 *
 * @throws ServiceError conflict when two of these run at once
 */
export async function rotateSigningKey(db: Database, keyring: Keyring): Promise<SigningKey> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = keyring.seal(randomBytes(SECRET_BYTES), secretIdentity.signingKey(id));
  return await db.transaction(async (trx) => {
    await demotePrimarySigningKey(trx);
    await orConflict(insertPrimarySigningKey(trx, id, secret), {
      signing_keys_one_primary: 'another rotation ended at this moment: look at signing-key list',
    });
    return await getSigningKey(trx, id);
  });
}

interface RetireInput {
  readonly id: string;
  /** Also when tokens that it signed may be in use: they end at once. */
  readonly force?: boolean | undefined;
}

/**
 * Ends a key: what it signed is no longer accepted.
 *
 * @throws ServiceError not-found, conflict when it still signs, or signed less than a token's life ago
 */
export async function retireSigningKey(
  db: Database,
  input: RetireInput,
  clock: Clock = systemClock,
): Promise<SigningKey> {
  const key = await getSigningKey(db, input.id);
  if (key.isPrimary) {
    throw new ServiceError(
      'conflict',
      `the key "${key.id}" signs new tokens: rotate first, then retire it`,
    );
  }
  const mayBeInUseUntil = inUseUntil(key);
  if (input.force !== true && clock.now() < mayBeInUseUntil) {
    throw new ServiceError(
      'conflict',
      `tokens that the key "${key.id}" signed may live until ${new Date(mayBeInUseUntil).toISOString()}: ` +
        'retire it after that, or end them now with --force',
    );
  }
  if (key.retiredAt === null) await updateSigningKeyRetired(db, key.id);
  return await getSigningKey(db, key.id);
}

/** Ends all keys whose last token has expired. @returns those that were ended by it. */
export async function retireExpiredSigningKeys(
  db: Database,
  clock: Clock = systemClock,
): Promise<SigningKey[]> {
  const retired: SigningKey[] = [];
  for (const key of await listSigningKeys(db)) {
    if (key.isPrimary || key.retiredAt !== null || clock.now() < inUseUntil(key)) continue;
    retired.push(await retireSigningKey(db, { id: key.id }, clock));
  }
  return retired;
}

/** Until when a token that the key signed may live, in milliseconds since 1970. */
function inUseUntil(key: SigningKey): number {
  return (key.replacedAt?.getTime() ?? 0) + IN_USE_MS;
}

async function getSigningKey(db: Database, id: string): Promise<SigningKey> {
  const key = await findSigningKey(db, id);
  if (key === undefined) throw new ServiceError('not-found', `no signing key has the id "${id}"`);
  return key;
}
