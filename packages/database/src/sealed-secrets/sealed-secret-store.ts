import type { Database } from '../connection/connection.js';
import { queryRows } from '../connection/query.js';
import type { SealedSecret } from '@zonewright/service-kit';
import { secretIdentity } from '../secrets/access-key-material.js';

/** The settings that contain encryption keys. Only the operator's command has more than one of them. */
export const KEY_SETTINGS = [
  'ENCRYPTION_KEYS',
  'TRANSFER_ENCRYPTION_KEYS',
  'SIGNER_ENCRYPTION_KEYS',
] as const;
export type KeySetting = (typeof KEY_SETTINGS)[number];

/** The numbers of secrets by kind. */
export interface SecretCounts {
  readonly signingKeys: number;
  readonly accessKeys: number;
  readonly peers: number;
  readonly tsigKeys: number;
  readonly primaries: number;
  readonly transfers: number;
  readonly zoneKeys: number;
}

/** A table whose rows, or some of them, contain a sealed secret. */
export interface SealedTable {
  /** The name of the kind of row, for people. */
  readonly what: string;
  readonly member: keyof SecretCounts;
  readonly name: string;
  /** The column that identifies rows. */
  readonly id: string;
  readonly idType: 'text' | 'uuid';
  /** The possible identities under which a row's secret is sealed (Keyring.seal). */
  readonly identities: readonly ((id: string) => string)[];
}

/**
 * Every table with sealed secrets. A new table must be added here, or its secrets are lost when an old key is removed.
 */
export const SEALED_TABLES: Readonly<Record<KeySetting, readonly SealedTable[]>> = {
  ENCRYPTION_KEYS: [
    {
      what: 'signing key',
      member: 'signingKeys',
      name: 'identity.signing_keys',
      id: 'id',
      idType: 'text',
      identities: [secretIdentity.signingKey],
    },
    {
      what: 'access key',
      member: 'accessKeys',
      name: 'identity.access_keys',
      id: 'id',
      idType: 'text',
      identities: [secretIdentity.accessKey, secretIdentity.restrictedAccessKey],
    },
  ],
  TRANSFER_ENCRYPTION_KEYS: [
    {
      what: 'peer',
      member: 'peers',
      name: 'dns.peers',
      id: 'id',
      idType: 'uuid',
      identities: [secretIdentity.peerKey],
    },
    {
      what: 'transfer request',
      member: 'transfers',
      name: 'dns.zone_transfers',
      id: 'id',
      idType: 'uuid',
      identities: [secretIdentity.transferKey],
    },
    {
      what: 'TSIG key',
      member: 'tsigKeys',
      name: 'dns.tsig_keys',
      id: 'id',
      idType: 'uuid',
      identities: [secretIdentity.tsigKey],
    },
    {
      what: 'primary',
      member: 'primaries',
      name: 'dns.secondaries',
      id: 'domain_id',
      idType: 'uuid',
      identities: [secretIdentity.primaryKey],
    },
  ],
  SIGNER_ENCRYPTION_KEYS: [
    {
      what: 'key of a signed zone',
      member: 'zoneKeys',
      name: 'dns.zone_keys',
      id: 'id',
      idType: 'uuid',
      identities: [secretIdentity.zoneKey],
    },
  ],
};

export interface SealedRow extends SealedSecret {
  readonly id: string;
}

/** Lists the next rows by id that have a secret; with `exceptKey`, only those that another key sealed. */
export async function listSealedRows(
  db: Database,
  { name, id, idType }: SealedTable,
  page: { readonly after: string | undefined; readonly limit: number; readonly exceptKey?: string },
): Promise<SealedRow[]> {
  const after = page.after ?? null;
  return await queryRows<SealedRow>(
    db,
    `select s.${id} as id, s.secret_sealed as sealed, s.secret_key_id as "keyId" from ${name} as s
      where s.secret_sealed is not null and (cast(? as ${idType}) is null or s.${id} > cast(? as ${idType}))
        and s.secret_key_id is distinct from ?
      order by s.${id} limit ?`,
    [after, after, page.exceptKey ?? null, page.limit],
  );
}

/** Counts the rows that each key has sealed. */
export async function countSealedRows(
  db: Database,
  { name }: SealedTable,
): Promise<{ keyId: string; count: number }[]> {
  return await queryRows(
    db,
    `select s.secret_key_id as "keyId", count(*) as count from ${name} as s
      where s.secret_sealed is not null group by s.secret_key_id order by s.secret_key_id`,
  );
}

/**
 * Replaces the secrets of rows that have not changed since they were read; a secret that was changed or deleted in the
 * meantime stays as it is now. One statement replaces all of them, so that services are notified once.
 *
 * @returns the number of replaced secrets
 */
export async function replaceSealedSecrets(
  db: Database,
  { name, id, idType }: SealedTable,
  replacements: readonly { readonly before: SealedRow; readonly after: SealedSecret }[],
): Promise<number> {
  const rows = await queryRows(
    db,
    `update ${name} as s set secret_sealed = decode(r.after, 'base64'), secret_key_id = r.key
       from jsonb_to_recordset(?::jsonb) as r (id ${idType}, before text, after text, key text)
      where s.${id} = r.id and s.secret_sealed = decode(r.before, 'base64')
      returning s.${id}`,
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
