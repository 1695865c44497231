import { type Database } from '@zonewright/database';
import type { ExternalKey, DesiredExternalKeys } from './signing-store.js';

/** Code of before takes a key that is not active for one that comes or goes, and waits until this time for it. */
const NEVER_BY_OLD_CODE = new Date('9000-01-01T00:00:00Z');

/** Writes the keys of another provider that a zone should have. The signer reads them at once. */
export async function writeDesiredExternalKeys(
  trx: Database,
  zoneId: string,
  { keys, atOnce }: DesiredExternalKeys,
  at: Date,
): Promise<void> {
  const wanted = {
    keys: keys.map(({ flags, algorithm, publicKey }) => ({
      ...{ flags, algorithm },
      publicKey: publicKey.toString('base64'),
    })),
    atOnce,
  };
  await trx.raw(
    `update dns.zone_dnssec as z set foreign_keys = cast(? as jsonb), next_resign_at = ? where z.domain_id = ?`,
    [JSON.stringify(wanted), at, zoneId],
  );
}

export async function insertExternalKey(
  trx: Database,
  zoneId: string,
  { algorithm, flags, keyTag, publicKey }: ExternalKey,
  at: Date,
): Promise<void> {
  await trx.raw(
    `insert into dns.zone_keys (domain_id, algorithm, flags, key_tag, public_key, state, published_at, active_at)
     values (?, ?, ?, ?, ?, 'foreign', ?, ?)`,
    [zoneId, algorithm, flags, keyTag, publicKey, at, NEVER_BY_OLD_CODE],
  );
}

/** Keeps keys that were about to be removed. */
export async function retainExternalKeys(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.raw(
    'update dns.zone_keys as k set retire_at = null, ds_seen_at = null where k.id = any(?::uuid[])',
    [[...ids]],
  );
}

/** Removes keys as soon as the parent's DS allow it. */
export async function retireExternalKeys(
  trx: Database,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await trx.raw(
    'update dns.zone_keys as k set retire_at = ? where k.id = any(?::uuid[]) and k.retire_at is null',
    [at, [...ids]],
  );
}

export async function deleteExternalKeys(trx: Database, ids: readonly string[]): Promise<void> {
  await trx.raw(
    `delete from dns.zone_keys as k where k.id = any(?::uuid[]) and k.state = 'foreign'`,
    [[...ids]],
  );
}
