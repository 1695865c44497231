import { type Database, queryRows } from '@zonewright/database';
import type { SealedSecret } from '@zonewright/database';
import type { KeyState, ZoneKey } from '../rows/signing-state.js';

/** A key with its secret, which only the signer's role may read. */
export interface SecretZoneKey extends ZoneKey {
  /** Of PKCS #8. */
  readonly secret: SealedSecret;
}

export interface NewZoneKey {
  readonly id: string;
  readonly zoneId: string;
  readonly algorithm: number;
  readonly flags: number;
  readonly keyTag: number;
  readonly publicKey: Buffer;
  readonly secret: SealedSecret;
  readonly state: Extract<KeyState, 'published' | 'active'>;
  readonly at: Date;
}

/** What seals the secret of a key is bound to its row by this. */
export function secretIdentity(keyId: string): string {
  return `dns.zone_keys.secret:${keyId}`;
}

/** Those that are in use. */
export async function listSecretZoneKeys(db: Database, zoneId: string): Promise<SecretZoneKey[]> {
  const rows = await queryRows<ZoneKey & { sealed: Buffer; secretKeyId: string }>(
    db,
    `select k.id, k.algorithm, k.flags, k.key_tag as "keyTag", k.public_key as "publicKey", k.state,
            k.published_at as "publishedAt", k.active_at as "activeAt", k.ds_seen_at as "dsSeenAt", k.retire_at as "retireAt",
            k.secret_sealed as sealed, k.secret_key_id as "secretKeyId"
       from dns.zone_keys as k
      where k.domain_id = ? and k.state <> 'removed' and k.secret_sealed is not null order by k.published_at, k.id`,
    [zoneId],
  );
  return rows.map(({ sealed, secretKeyId, ...key }) => ({
    ...key,
    secret: { keyId: secretKeyId, sealed },
  }));
}

/** All that a zone ever had: none comes again. */
export async function listKeyTags(db: Database, zoneId: string): Promise<number[]> {
  const rows = await queryRows<{ keyTag: number }>(
    db,
    'select k.key_tag as "keyTag" from dns.zone_keys as k where k.domain_id = ?',
    [zoneId],
  );
  return rows.map(({ keyTag }) => keyTag);
}

export async function insertZoneKey(trx: Database, key: NewZoneKey): Promise<void> {
  await trx.raw(
    `insert into dns.zone_keys
            (id, domain_id, algorithm, flags, key_tag, public_key, secret_sealed, secret_key_id, state, published_at, active_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      key.id,
      key.zoneId,
      key.algorithm,
      key.flags,
      key.keyTag,
      key.publicKey,
      key.secret.sealed,
      key.secret.keyId,
      key.state,
      key.at,
      key.state === 'active' ? key.at : null,
    ],
  );
}

/** A published key signs from now on, and the one before it no more. */
export async function activateKeys(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k
        set state = case k.state when 'published' then 'active' else 'retiring' end,
            active_at = case k.state when 'published' then cast(? as timestamptz) else k.active_at end,
            retire_at = case k.state when 'published' then k.retire_at else cast(? as timestamptz) end
      where k.domain_id = ? and k.state in ('published', 'active')`,
    [at, at, zoneId],
  );
}

/** The parent has no DS of retiring keys any more. */
export async function noteDsGone(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set ds_seen_at = ? where k.domain_id = ? and k.state = 'retiring'`,
    [at, zoneId],
  );
}

/** Nothing that anybody remembers needs the retiring keys: their secrets go. */
export async function removeRetiringKeys(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set state = 'removed', removed_at = ?, secret_sealed = null, secret_key_id = null
      where k.domain_id = ? and k.state = 'retiring'`,
    [at, zoneId],
  );
}
