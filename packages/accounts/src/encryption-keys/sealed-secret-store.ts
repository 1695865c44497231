import { type Database, queryRows, type SealedSecret, secretIdentity } from '@zonewright/database';

/** A table with a sealed secret in each row, or in some of them. */
export interface SealedTable {
  /** What a row is, for people. */
  readonly what: string;
  readonly name: 'identity.access_keys' | 'identity.signing_keys';
  /** Under which identity the secret of a row is sealed (Keyring.seal): one of these. */
  readonly identities: readonly ((id: string) => string)[];
}

/** Every table that holds sealed secrets; a new one belongs here, or its rows are lost with an old key. */
export const SEALED_TABLES: readonly SealedTable[] = [
  { what: 'signing key', name: 'identity.signing_keys', identities: [secretIdentity.signingKey] },
  {
    what: 'access key',
    name: 'identity.access_keys',
    identities: [secretIdentity.accessKey, secretIdentity.restrictedAccessKey],
  },
];

export interface SealedRow extends SealedSecret {
  readonly id: string;
}

/** The next rows by id that have a secret; with `exceptKey`, only those that another key sealed. */
export async function listSealedRows(
  db: Database,
  table: SealedTable,
  page: { readonly after: string; readonly limit: number; readonly exceptKey?: string },
): Promise<SealedRow[]> {
  return await queryRows<SealedRow>(
    db,
    `select s.id, s.secret_sealed as sealed, s.secret_key_id as "keyId" from ${table.name} as s
      where s.secret_sealed is not null and s.id > ? and s.secret_key_id is distinct from ?
      order by s.id limit ?`,
    [page.after, page.exceptKey ?? null, page.limit],
  );
}

/** How many rows each key has sealed. */
export async function countSealedRows(
  db: Database,
  table: SealedTable,
): Promise<{ keyId: string; count: number }[]> {
  return await queryRows(
    db,
    `select s.secret_key_id as "keyId", count(*) as count from ${table.name} as s
      where s.secret_sealed is not null group by s.secret_key_id order by s.secret_key_id`,
  );
}

/**
 * Replaces the secrets of rows that are still as they were read: one that was changed or erased meanwhile stays as
 * it is now. One statement for all, so that services are told once.
 *
 * @returns how many were replaced
 */
export async function replaceSealedSecrets(
  db: Database,
  table: SealedTable,
  replacements: readonly { readonly before: SealedRow; readonly after: SealedSecret }[],
): Promise<number> {
  const rows = await queryRows(
    db,
    `update ${table.name} as s set secret_sealed = decode(r.after, 'base64'), secret_key_id = r.key
       from jsonb_to_recordset(?::jsonb) as r (id text, before text, after text, key text)
      where s.id = r.id and s.secret_sealed = decode(r.before, 'base64')
      returning s.id`,
    [
      JSON.stringify(
        replacements.map(({ before, after }) => ({
          id: before.id,
          before: before.sealed.toString('base64'),
          after: after.sealed.toString('base64'),
          key: after.keyId,
        })),
      ),
    ],
  );
  return rows.length;
}
