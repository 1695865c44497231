import type { Database } from '../connection/connection.js';
import type { Keyring } from '@zonewright/service-kit';
import {
  countSealedRows,
  type KeySetting,
  listSealedRows,
  type SealedRow,
  type SealedTable,
  type SecretCounts,
  SEALED_TABLES,
} from './sealed-secret-store.js';

/** The keys of one setting. */
export interface NamedKeyring {
  readonly setting: KeySetting;
  readonly keyring: Keyring;
}

/** One encryption key and the numbers of secrets that it has sealed. */
export interface EncryptionKeyUse extends SecretCounts {
  readonly setting: KeySetting;
  readonly id: string;
  /**
   * `seals` means the first key of its setting, `opens` another of its keys, and `missing` a key that rows name but no
   * setting contains.
   */
  readonly state: 'seals' | 'opens' | 'missing';
}

/** The sealed secrets of the database, and whether they can be opened. */
export interface SecretSurvey {
  readonly keys: readonly EncryptionKeyUse[];
  /** Rows whose secret cannot be opened with any key, such as `access key ABC (key k1)`. */
  readonly unreadable: readonly string[];
}

const ROWS_PER_READING = 1_000;

const NONE: SecretCounts = {
  signingKeys: 0,
  accessKeys: 0,
  peers: 0,
  tsigKeys: 0,
  primaries: 0,
  transfers: 0,
  zoneKeys: 0,
};

/** Returns the number of secrets that a key has sealed. */
export function countSecrets(counts: SecretCounts): number {
  return Object.keys(NONE).reduce((sum, member) => sum + counts[member as keyof SecretCounts], 0);
}

/** Counts the secrets that are sealed with keys of a setting, even if these keys are unknown. */
export async function countSealed(db: Database, setting: KeySetting): Promise<number> {
  let sum = 0;
  for (const table of SEALED_TABLES[setting]) {
    for (const { count } of await countSealedRows(db, table)) sum += count;
  }
  return sum;
}

/** Opens every secret that is sealed with keys of a setting, and counts the secrets of each key. */
export async function surveySecrets(
  db: Database,
  { setting, keyring }: NamedKeyring,
): Promise<SecretSurvey> {
  const counts = new Map<string, SecretCounts>(keyring.keyIds.map((id) => [id, NONE]));
  const unreadable: string[] = [];
  for (const table of SEALED_TABLES[setting]) {
    for await (const row of allSealedRows(db, table)) {
      const use = counts.get(row.keyId) ?? NONE;
      counts.set(row.keyId, { ...use, [table.member]: use[table.member] + 1 });
      if (openSecret(keyring, table, row) === undefined) unreadable.push(describeRow(table, row));
    }
  }
  const keys = [...counts].map(([id, use]) => ({
    setting,
    id,
    state: stateOf(keyring, id),
    ...use,
  }));
  return { keys, unreadable };
}

/** A secret and the identity under which it was sealed. */
interface OpenedSecret {
  readonly identity: string;
  readonly secret: Buffer;
}

/** Returns the secret, or undefined if none of our keys opens it. */
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
      // The secret may be sealed under the next identity.
    }
  }
  return undefined;
}

function describeRow(table: SealedTable, row: SealedRow): string {
  return `${table.what} ${row.id} (encrypted with key ${row.keyId})`;
}

async function* allSealedRows(db: Database, table: SealedTable): AsyncIterable<SealedRow> {
  for (let after: string | undefined; ;) {
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
