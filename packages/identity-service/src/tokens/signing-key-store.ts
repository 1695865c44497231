import type { Database, SealedSecret } from '@zonewright/database';

export interface SealedSigningKey {
  readonly id: string;
  readonly secret: SealedSecret;
  readonly isPrimary: boolean;
}

interface SigningKeyRow {
  id: string;
  secret_sealed: Buffer;
  secret_key_id: string;
  is_primary: boolean;
}

/** The keys whose signatures count; retired ones are left out. */
export async function listSigningKeys(db: Database): Promise<SealedSigningKey[]> {
  const { rows } = await db.raw<{ rows: SigningKeyRow[] }>(`
    select keys.id, keys.secret_sealed, keys.secret_key_id, keys.is_primary
    from identity.signing_keys as keys
    where keys.retired_at is null`);
  return rows.map((row) => ({
    id: row.id,
    secret: { sealed: row.secret_sealed, keyId: row.secret_key_id },
    isPrimary: row.is_primary,
  }));
}
