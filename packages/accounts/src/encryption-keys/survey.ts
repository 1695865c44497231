import type { Database, Keyring } from '@zonewright/database';
import {
  listSealedRows,
  SEALED_TABLES,
  type SealedRow,
  type SealedTable,
} from './sealed-secret-store.js';

/** One encryption key and what it has sealed. */
export interface EncryptionKeyUse {
  readonly id: string;
  /** `seals`: the first of ENCRYPTION_KEYS; `opens`: another of them; `missing`: rows name it and nobody gave it. */
  readonly state: 'seals' | 'opens' | 'missing';
  readonly accessKeys: number;
  readonly signingKeys: number;
}

/** What is sealed in the database, and whether it opens. */
export interface SecretSurvey {
  readonly keys: readonly EncryptionKeyUse[];
  /** Rows whose secret no key opens, such as `access key ABC (key k1)`. */
  readonly unreadable: readonly string[];
}

const ROWS_PER_READING = 1_000;

/** Opens every secret that is stored, and tells which key sealed how many. */
export async function surveySecrets(db: Database, keyring: Keyring): Promise<SecretSurvey> {
  const counts = new Map<string, { accessKeys: number; signingKeys: number }>();
  for (const id of keyring.keyIds) counts.set(id, { accessKeys: 0, signingKeys: 0 });
  const unreadable: string[] = [];
  for (const table of SEALED_TABLES) {
    for await (const row of allSealedRows(db, table)) {
      const use = counts.get(row.keyId) ?? { accessKeys: 0, signingKeys: 0 };
      use[table.name === 'identity.access_keys' ? 'accessKeys' : 'signingKeys']++;
      counts.set(row.keyId, use);
      if (openSecret(keyring, table, row) === undefined) unreadable.push(describeRow(table, row));
    }
  }
  const keys = [...counts].map(([id, use]) => ({ id, state: stateOf(keyring, id), ...use }));
  return { keys, unreadable };
}

/** A secret, and under which identity it was sealed. */
interface OpenedSecret {
  readonly identity: string;
  readonly secret: Buffer;
}

/** The secret, or undefined when none of our keys opens it. */
export function openSecret(
  keyring: Keyring,
  table: SealedTable,
  row: SealedRow,
): OpenedSecret | undefined {
  for (const identityOf of table.identities) {
    const identity = identityOf(row.id);
    try {
      return { identity, secret: keyring.open(row, identity) };
    } catch {
      // Perhaps it is sealed under the next one.
    }
  }
  return undefined;
}

function describeRow(table: SealedTable, row: SealedRow): string {
  return `${table.what} ${row.id} (sealed with key ${row.keyId})`;
}

async function* allSealedRows(db: Database, table: SealedTable): AsyncIterable<SealedRow> {
  for (let after = ''; ;) {
    const rows = await listSealedRows(db, table, { after, limit: ROWS_PER_READING });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function stateOf(keyring: Keyring, id: string): EncryptionKeyUse['state'] {
  if (id === keyring.primaryKeyId) return 'seals';
  return keyring.keyIds.includes(id) ? 'opens' : 'missing';
}
