import { type Database, queryRows } from '@zonewright/database';
import type { SealedSecret } from '@zonewright/database';
import type { KeyState, ZoneKey } from '../rows/signing-state.js';
import { findSigning, ZONE_KEY_COLUMNS } from './signing-store.js';

/** Key with its secret, which only the signer's role may read. */
export interface SecretZoneKey extends ZoneKey {
  /** Secret key in PKCS #8. */
  readonly secret: SealedSecret;
}

interface NewZoneKey {
  readonly id: string;
  readonly zoneId: string;
  readonly algorithm: number;
  readonly flags: number;
  readonly keyTag: number;
  readonly publicKey: Buffer;
  readonly secret: SealedSecret;
  readonly state: Extract<KeyState, 'unlisted' | 'published' | 'active'>;
  readonly at: Date;
}

/** Zone that is signed, or about to be, with its keys in use. */
interface ZoneWithSecrets {
  readonly name: string;
  readonly keys: readonly SecretZoneKey[];
}

/** Returns undefined if the zone does not exist. */
export async function findZoneWithSecrets(
  db: Database,
  zoneId: string,
): Promise<ZoneWithSecrets | undefined> {
  const rows = await queryRows<ZoneKey & { zoneName: string; sealed: Buffer; secretKeyId: string }>(
    db,
    `select d.name as "zoneName", ${ZONE_KEY_COLUMNS}, k.secret_sealed as sealed, k.secret_key_id as "secretKeyId"
       from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
       join dns.zone_keys as k on k.domain_id = d.id
      where d.id = ? and k.state <> 'removed' and k.secret_sealed is not null order by k.published_at, k.id`,
    [zoneId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const keys = rows.map(({ sealed, secretKeyId, ...key }) => ({
    ...key,
    secret: { keyId: secretKeyId, sealed },
  }));
  return { name: first.zoneName, keys };
}

/** Lists the tags of the zone's own keys, including removed ones. */
export async function listOwnKeyTags(db: Database, zoneId: string): Promise<number[]> {
  const rows = await queryRows<{ keyTag: number }>(
    db,
    `select k.key_tag as "keyTag" from dns.zone_keys as k where k.domain_id = ? and k.state <> 'foreign'`,
    [zoneId],
  );
  return rows.map(({ keyTag }) => keyTag);
}

/** Lists the tags of all keys that a zone has ever had, or will have from another provider. None is used again. */
export async function listKeyTags(db: Database, zoneId: string): Promise<number[]> {
  const rows = await queryRows<{ keyTag: number }>(
    db,
    'select k.key_tag as "keyTag" from dns.zone_keys as k where k.domain_id = ?',
    [zoneId],
  );
  const wanted = (await findSigning(db, zoneId))?.foreignKeys?.keys ?? [];
  return [...rows, ...wanted].map(({ keyTag }) => keyTag);
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

/** Makes the published key sign from now on, instead of the previous one. */
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

/** Delays the DS of a newly signed zone until no resolver has the unsigned zone in its cache. */
export async function delayDs(trx: Database, zoneId: string, until: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set ds_from = ? where k.domain_id = ? and k.state = 'active'`,
    [until, zoneId],
  );
}

export async function announceDs(trx: Database, zoneId: string): Promise<void> {
  await trx.raw('update dns.zone_keys as k set ds_from = null where k.domain_id = ?', [zoneId]);
}

/** Notes that the parent no longer has a DS record for retiring keys. */
export async function noteDsGone(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set ds_seen_at = ? where k.domain_id = ? and (k.state = 'retiring' or (k.state = 'foreign' and k.retire_at is not null))`,
    [at, zoneId],
  );
}

/** Notes that the whole zone is signed with the key that is not yet in the DNSKEY RRset. */
export async function noteSigned(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set active_at = ? where k.domain_id = ? and k.state = 'unlisted' and k.retire_at is null`,
    [at, zoneId],
  );
}

/** Publishes the key that signs the zone in DNSKEY from now on. */
export async function listKey(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set state = 'published', published_at = ?
      where k.domain_id = ? and k.state = 'unlisted' and k.retire_at is null`,
    [at, zoneId],
  );
}

/** Removes retiring keys from DNSKEY; they continue to sign. */
export async function unlistRetiringKeys(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k set state = 'unlisted', removed_at = ? where k.domain_id = ? and k.state = 'retiring'`,
    [at, zoneId],
  );
}

/** Deletes the secrets of removed keys once no cached data needs them. */
export async function removeOldKeys(trx: Database, zoneId: string, at: Date): Promise<void> {
  await trx.raw(
    `update dns.zone_keys as k
        set state = 'removed', removed_at = coalesce(k.removed_at, ?), secret_sealed = null, secret_key_id = null
      where k.domain_id = ? and k.state in ('unlisted', 'retiring') and k.retire_at is not null`,
    [at, zoneId],
  );
}
