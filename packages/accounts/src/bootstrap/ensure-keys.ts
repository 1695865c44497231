import { timingSafeEqual } from 'node:crypto';
import { secretIdentity } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findAccessKey } from '../access-keys/access-key-store.js';
import { listAccessKeySummaries } from '../access-keys/access-key-summary-store.js';
import { type AccessKey, openAccessKeySecret } from '../access-keys/access-key.js';
import { createAccessKey, importAccessKey } from '../access-keys/access-keys.js';
import { findPrimarySigningKey, rotateSigningKey } from '../tokens/signing-keys.js';
import type { User } from '../users/user-store.js';
import type { BootstrapRun, BootstrapSecrets, GivenAccessKey } from './bootstrap-run.js';

/** Ensures that the service user has an access key: the given key, or else a usable key, or else a new key. */
export async function ensureServiceAccessKey(
  run: BootstrapRun,
  user: User,
  given: GivenAccessKey | undefined,
): Promise<Pick<BootstrapSecrets, 'serviceAccessKey' | 'serviceSecretKey'>> {
  if (given !== undefined) {
    await ensureGivenKey(run, user, given);
    return {};
  }
  const keys = await listAccessKeySummaries(run.db, user.id);
  if (keys.some((key) => key.status === 'active')) return {};
  const key = await createAccessKey(run.db, run.keyring, { user: user.id });
  run.created.push(`access key ${key.id} of user ${user.name}`);
  return { serviceAccessKey: key.id, serviceSecretKey: key.secretKey };
}

async function ensureGivenKey(run: BootstrapRun, user: User, given: GivenAccessKey): Promise<void> {
  const found = await findAccessKey(run.db, given.id);
  if (found === undefined) {
    const { id } = await importAccessKey(run.db, run.keyring, {
      user: user.id,
      id: given.id,
      secretKey: given.secretKey,
    });
    run.created.push(`access key ${id} of user ${user.name}`);
    return;
  }
  if (found.userId !== user.id || !hasSecret(run, found, given.secretKey)) {
    // The problem is reported here, since dns-api would only see that its login fails.
    throw new ServiceError(
      'conflict',
      `the access key "${given.id}" already exists: it has a different owner or secret key, or it is revoked`,
    );
  }
}

function hasSecret(run: BootstrapRun, key: AccessKey, secretKey: string): boolean {
  const stored = openAccessKeySecret(run.keyring, key);
  const given = Buffer.from(secretKey);
  return stored?.length === given.length && timingSafeEqual(stored, given);
}

/**
 * Creates the token signing key if there is none.
 *
 * @throws ServiceError conflict if the keyring cannot decrypt the existing key, since services could not use it
 */
export async function ensureSigningKey(run: BootstrapRun): Promise<void> {
  const found = await findPrimarySigningKey(run.db);
  if (found === undefined) {
    const key = await rotateSigningKey(run.db, run.keyring);
    run.created.push(`signing key ${key.id}`);
    return;
  }
  try {
    run.keyring.open(found.secret, secretIdentity.signingKey(found.id));
  } catch (error) {
    throw new ServiceError(
      'conflict',
      'the secrets in this database were encrypted with a different key: ' +
        'use the ENCRYPTION_KEYS of its installation',
      { cause: error },
    );
  }
}
