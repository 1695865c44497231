import { randomBytes } from 'node:crypto';
import {
  type Database,
  type Keyring,
  orConflict,
  queryRow,
  queryRows,
  type SealedSecret,
  secretIdentity,
} from '@zonewright/database';
import { type Clock, ServiceError, systemClock } from '@zonewright/service-kit';
import { TOKEN_LIFETIME_MS } from './token-claims.js';

/** HS256 needs a key with at least the size of its hash (RFC 7518 s3.2). */
const SECRET_BYTES = 32;
/** Length of a key id. It is short because every token contains it, and it distinguishes only a few keys. */
const ID_BYTES = 4;
/**
 * Time for which a replaced key is still in use: the life of a token and a minute. A service without a connection
 * learns of a new key some seconds late, and clocks differ.
 */
const IN_USE_MS = TOKEN_LIFETIME_MS + 60_000;

/**
 * Makes a new key the primary one. The older keys still verify, so no token becomes invalid.
 *
 * @throws ServiceError conflict if two rotations run at the same time
 */
export async function rotateSigningKey(db: Database, keyring: Keyring): Promise<SigningKey> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = keyring.seal(randomBytes(SECRET_BYTES), secretIdentity.signingKey(id));
  return await db.transaction(async (trx) => {
    await demotePrimarySigningKey(trx);
    await orConflict(insertPrimarySigningKey(trx, id, secret), {
      signing_keys_one_primary: 'another rotation was made at the same time: see signing-key list',
    });
    return await getSigningKey(trx, id);
  });
}

interface RetireInput {
  readonly id: string;
  /** Whether to retire the key even if its tokens may be in use. They become invalid at once. */
  readonly force?: boolean | undefined;
}

/**
 * Retires a key, so that its tokens are no longer accepted.
 *
 * @throws ServiceError not-found, conflict if it still signs, or signed less than a token's life ago
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
      `the key "${key.id}" signs new tokens: rotate the keys first, then retire it`,
    );
  }
  const mayBeInUseUntil = inUseUntil(key);
  if (input.force !== true && clock.now() < mayBeInUseUntil) {
    throw new ServiceError(
      'conflict',
      `tokens that the key "${key.id}" signed may be valid until ${new Date(mayBeInUseUntil).toISOString()}: ` +
        'retire it after that, or end them now with --force',
    );
  }
  if (key.retiredAt === null) await updateSigningKeyRetired(db, key.id);
  return await getSigningKey(db, key.id);
}

/** Retires all keys whose last token has expired. @returns the retired keys */
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

/** Returns the time until which a token of the key may be valid, in milliseconds since 1970. */
function inUseUntil(key: SigningKey): number {
  return (key.replacedAt?.getTime() ?? 0) + IN_USE_MS;
}

async function getSigningKey(db: Database, id: string): Promise<SigningKey> {
  const key = await findSigningKey(db, id);
  if (key === undefined) throw new ServiceError('not-found', `no signing key has the id "${id}"`);
  return key;
}

/** Token signing key, without its secret. */
export interface SigningKey {
  /** Value of "kid" in tokens. */
  readonly id: string;
  /** Whether the key signs. All keys that are not retired verify. */
  readonly isPrimary: boolean;
  readonly createdAt: Date;
  /** Time at which the next key became primary. Null for the primary key. */
  readonly replacedAt: Date | null;
  readonly retiredAt: Date | null;
}

const SELECT = `select k.id, k.is_primary as "isPrimary", k.created_at as "createdAt", k.retired_at as "retiredAt",
    (select min(later.created_at) from identity.signing_keys as later
      where later.created_at > k.created_at) as "replacedAt"
  from identity.signing_keys as k`;

export async function listSigningKeys(db: Database): Promise<SigningKey[]> {
  return await queryRows<SigningKey>(db, `${SELECT} order by k.created_at desc`);
}

async function findSigningKey(db: Database, id: string): Promise<SigningKey | undefined> {
  return await queryRow<SigningKey>(db, `${SELECT} where k.id = ?`, [id]);
}

/** Signing key with its encrypted secret. */
interface SealedSigningKey {
  readonly id: string;
  readonly isPrimary: boolean;
  readonly secret: SealedSecret;
}

/** Lists the keys whose signatures are accepted, without retired keys. */
export async function listSealedSigningKeys(db: Database): Promise<SealedSigningKey[]> {
  const rows = await queryRows<SealedSecret & Omit<SealedSigningKey, 'secret'>>(
    db,
    `select k.id, k.is_primary as "isPrimary", k.secret_sealed as sealed, k.secret_key_id as "keyId"
       from identity.signing_keys as k where k.retired_at is null`,
  );
  return rows.map(({ id, isPrimary, sealed, keyId }) => ({
    id,
    isPrimary,
    secret: { sealed, keyId },
  }));
}

export async function findPrimarySigningKey(db: Database): Promise<SealedSigningKey | undefined> {
  return (await listSealedSigningKeys(db)).find(({ isPrimary }) => isPrimary);
}

async function insertPrimarySigningKey(
  db: Database,
  id: string,
  secret: SealedSecret,
): Promise<void> {
  await db.raw(
    `insert into identity.signing_keys (id, secret_sealed, secret_key_id, is_primary) values (?, ?, ?, true)`,
    [id, secret.sealed, secret.keyId],
  );
}

async function demotePrimarySigningKey(db: Database): Promise<void> {
  await db.raw(`update identity.signing_keys as k set is_primary = false where k.is_primary`);
}

async function updateSigningKeyRetired(db: Database, id: string): Promise<void> {
  await db.raw(`update identity.signing_keys as k set retired_at = now() where k.id = ?`, [id]);
}
