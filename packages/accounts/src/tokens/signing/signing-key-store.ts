import { type Database, queryRow, queryRows, type SealedSecret } from '@zonewright/database';

/** A key that signs tokens, without its secret. */
export interface SigningKey {
  /** The "kid" of the tokens that it signed. */
  readonly id: string;
  /** The primary signs; all that are not retired verify. */
  readonly isPrimary: boolean;
  readonly createdAt: Date;
  /** When the next key took over; null for the newest. */
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

export async function findSigningKey(db: Database, id: string): Promise<SigningKey | undefined> {
  return await queryRow<SigningKey>(db, `${SELECT} where k.id = ?`, [id]);
}

/** A key with its secret as it is stored. */
export interface SealedSigningKey {
  readonly id: string;
  readonly isPrimary: boolean;
  readonly secret: SealedSecret;
}

/** The keys whose signatures count; retired ones are left out. */
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

/** The key that signs. */
export async function findPrimarySigningKey(db: Database): Promise<SealedSigningKey | undefined> {
  return (await listSealedSigningKeys(db)).find(({ isPrimary }) => isPrimary);
}

export async function insertPrimarySigningKey(
  db: Database,
  id: string,
  secret: SealedSecret,
): Promise<void> {
  await db.raw(
    `insert into identity.signing_keys (id, secret_sealed, secret_key_id, is_primary) values (?, ?, ?, true)`,
    [id, secret.sealed, secret.keyId],
  );
}

export async function demotePrimarySigningKey(db: Database): Promise<void> {
  await db.raw(`update identity.signing_keys as k set is_primary = false where k.is_primary`);
}

export async function updateSigningKeyRetired(db: Database, id: string): Promise<void> {
  await db.raw(`update identity.signing_keys as k set retired_at = now() where k.id = ?`, [id]);
}
