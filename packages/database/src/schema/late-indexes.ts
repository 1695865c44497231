import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../connection/connection.js';
import type { LateIndex } from '../migrations/index.js';

/** The key of the advisory lock that a process holds while it builds indexes. */
const BUILDING_LOCK = 7_255_302;
const TRY_AGAIN_MS = 100;

/**
 * Builds the indexes that are missing, and those that an earlier attempt left unfinished. One process builds at a time,
 * and the others poll. Building an index waits for all older statements, so it would also wait for a statement that
 * waits for the lock.
 */
export async function buildLateIndexes(db: Database, indexes: readonly LateIndex[]): Promise<void> {
  // Locks of a session must be taken and released on the same connection.
  const client = db.client as {
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<void>;
  };
  const connection = await client.acquireConnection();
  const query: Query = async <T>(sql: string) => {
    const { rows } = await db.raw<{ rows: T[] }>(sql).connection(connection);
    return rows;
  };
  try {
    while (!(await areThere(query, indexes))) {
      if (!(await buildAlone(query, indexes))) await delay(TRY_AGAIN_MS);
    }
  } finally {
    await client.releaseConnection(connection);
  }
}

type Query = <T>(sql: string) => Promise<T[]>;

/** @returns whether this process held the lock and built the indexes */
async function buildAlone(query: Query, indexes: readonly LateIndex[]): Promise<boolean> {
  const [lock] = await query<{ isHeld: boolean }>(
    `select pg_try_advisory_lock(${BUILDING_LOCK}) as "isHeld"`,
  );
  if (lock?.isHeld !== true) return false;
  try {
    for (const index of indexes) await build(query, index);
  } finally {
    await query(`select pg_advisory_unlock(${BUILDING_LOCK})`);
  }
  return true;
}

async function areThere(query: Query, indexes: readonly LateIndex[]): Promise<boolean> {
  for (const index of indexes) {
    if ((await readState(query, index)) !== 'there') return false;
  }
  return true;
}

async function build(query: Query, index: LateIndex): Promise<void> {
  const state = await readState(query, index);
  if (state === 'there') return;
  if (state === 'broken') await query(`drop index concurrently if exists dns.${index.name}`);
  await query(`create index concurrently ${index.name} on ${index.on}`);
}

async function readState(
  query: Query,
  { name }: LateIndex,
): Promise<'there' | 'broken' | 'missing'> {
  const [row] = await query<{ isValid: boolean }>(
    `select i.indisvalid as "isValid" from pg_index as i where i.indexrelid = to_regclass('dns.${name}')`,
  );
  if (row === undefined) return 'missing';
  return row.isValid ? 'there' : 'broken';
}
