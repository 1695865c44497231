import { secretIdentity } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findPrimarySigningKey } from '../tokens/signing/signing-key-store.js';
import { rotateSigningKey } from '../tokens/signing/signing-keys.js';
import type { BootstrapRun } from './bootstrap-run.js';

/**
 * The key that signs tokens, if there is none.
 *
 * @throws ServiceError conflict when there is one that the keyring does not open: no service could use it
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
      'the secrets in this database were sealed with another encryption key than the ones in use now: ' +
        'use the ENCRYPTION_KEYS with which it was set up',
      { cause: error },
    );
  }
}
