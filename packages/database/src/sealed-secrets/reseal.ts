import type { Database } from '../connection/connection.js';
import type { Keyring } from '@zonewright/service-kit';
import {
  countSealedRows,
  listSealedRows,
  replaceSealedSecrets,
  type SealedRow,
  type SealedTable,
  SEALED_TABLES,
} from './sealed-secret-store.js';
import {
  countSecrets,
  type NamedKeyring,
  openSecret,
  type SecretSurvey,
  surveySecrets,
} from './survey.js';

export interface ResealResult extends SecretSurvey {
  /** The number of secrets that were sealed again. */
  readonly resealed: number;
  /** The number of secrets that are still sealed with another key than the first one. */
  readonly remaining: number;
}

interface ResealOptions {
  /** The number of rows in one statement. The default is 500. */
  readonly batchSize?: number;
  /** Called after each batch. */
  readonly onProgress?: (resealed: number, expected: number) => void | Promise<void>;
}

const DEFAULT_BATCH_SIZE = 500;
/**
 * The maximum number of passes. A pass also finds secrets that a service has sealed with an old key in the meantime. If
 * that continues, the operator must change the service's settings.
 */
const MAX_PASSES = 3;

/**
 * Seals the secrets of a setting again with its first key if another key has sealed them. Each batch is one statement
 * that replaces only secrets that have not changed since they were read. It can therefore run while services run, twice
 * at once, and again after an interruption. At the end, every secret is opened once, whichever key sealed it.
 */
export async function resealSecrets(
  db: Database,
  named: NamedKeyring,
  { batchSize = DEFAULT_BATCH_SIZE, onProgress }: ResealOptions = {},
): Promise<ResealResult> {
  const { setting, keyring } = named;
  const tables = SEALED_TABLES[setting];
  let resealed = 0;
  let remaining = await countRemaining(db, keyring, tables);
  const expected = remaining;
  for (let pass = 0; pass < MAX_PASSES && remaining > 0; pass++) {
    for (const table of tables) {
      for await (const count of resealTable(db, keyring, table, batchSize)) {
        resealed += count;
        await onProgress?.(resealed, Math.max(expected, resealed));
      }
    }
    remaining = await countRemaining(db, keyring, tables);
  }
  const survey = await surveySecrets(db, named);
  return { ...survey, resealed, remaining: notSealedBy(keyring.primaryKeyId, survey) };
}

/** Yields the number of secrets that were sealed again after each batch. */
async function* resealTable(
  db: Database,
  keyring: Keyring,
  table: SealedTable,
  batchSize: number,
): AsyncIterable<number> {
  for (let after: string | undefined; ;) {
    const page = { after, limit: batchSize, exceptKey: keyring.primaryKeyId };
    const rows = await listSealedRows(db, table, page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield await resealRows(db, keyring, table, rows);
    after = last.id;
  }
}

async function resealRows(
  db: Database,
  keyring: Keyring,
  table: SealedTable,
  rows: readonly SealedRow[],
): Promise<number> {
  const replacements = rows.flatMap((before) => {
    const opened = openSecret(keyring, table, before);
    return opened === undefined
      ? []
      : [{ before, after: keyring.seal(opened.secret, opened.identity) }];
  });
  return replacements.length === 0 ? 0 : await replaceSealedSecrets(db, table, replacements);
}

async function countRemaining(
  db: Database,
  keyring: Keyring,
  tables: readonly SealedTable[],
): Promise<number> {
  let remaining = 0;
  for (const table of tables) {
    for (const { keyId, count } of await countSealedRows(db, table)) {
      if (keyId !== keyring.primaryKeyId) remaining += count;
    }
  }
  return remaining;
}

function notSealedBy(keyId: string, { keys }: SecretSurvey): number {
  return keys.filter(({ id }) => id !== keyId).reduce((sum, use) => sum + countSecrets(use), 0);
}
