import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';
import type { AccessKey } from '../access-keys/access-key.js';
import { createAccessKey, importAccessKey } from '../access-keys/access-keys.js';
import { findAccessKey } from '../access-keys/access-key-store.js';
import { openAccessKeySecret } from '../access-keys/access-key-secret.js';
import { listAccessKeySummaries } from '../access-keys/access-key-summary-store.js';
import type { User } from '../users/user-store.js';
import type { BootstrapRun, BootstrapSecrets, GivenAccessKey } from './bootstrap-run.js';

/** The access key of the service user: the given one, or any that can be used, or else a new one. */
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
    // Said here rather than by dns-api, which would only see its log-in fail.
    throw new ServiceError(
      'conflict',
      `the access key "${given.id}" exists already: with another owner, with another secret key, or revoked`,
    );
  }
}

function hasSecret(run: BootstrapRun, key: AccessKey, secretKey: string): boolean {
  const stored = openAccessKeySecret(run.keyring, key);
  const given = Buffer.from(secretKey);
  return stored?.length === given.length && timingSafeEqual(stored, given);
}
