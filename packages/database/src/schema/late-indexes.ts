import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../connection/connection.js';

interface LateIndex {
  readonly name: string;
  /** Table and columns of the index, as in `create index`. */
  readonly on: string;
}

/**
 * Indexes of tables that may be large: built while others write, which no transaction can (PostgreSQL, CREATE INDEX
 * CONCURRENTLY). Code must work without them, only slower.
 */
const LATE_INDEXES: readonly LateIndex[] = [
  // The rows of a recordset, by its id.
  {
    name: 'records_recordset_id',
    on: 'dns.records (dns.recordset_id(domain_id, name, type))',
  },
  // Records that have an end, by it.
  {
    name: 'records_end',
    on: "dns.records ((flags ->> 'expiresAt')) where flags ->> 'expiresAt' is not null",
  },
];

/** One number for "somebody builds them". */
const BUILDING_LOCK = 7_255_302;
const TRY_AGAIN_MS = 100;

/**
 * Builds the indexes that are missing, and those that an earlier try left unfinished. One process builds at a time, and
 * the others poll. Building waits for all older statements, and so would also wait for one that waits for the lock.
 */
export async function buildLateIndexes(db: Database): Promise<void> {
  // Locks of a session are held and given back on its own connection.
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
    while (!(await areThere(query))) {
      if (!(await buildAlone(query))) await delay(TRY_AGAIN_MS);
    }
  } finally {
    await client.releaseConnection(connection);
  }
}

type Query = <T>(sql: string) => Promise<T[]>;

/** @returns whether it was this process's turn. */
async function buildAlone(query: Query): Promise<boolean> {
  const [lock] = await query<{ isHeld: boolean }>(
    `select pg_try_advisory_lock(${BUILDING_LOCK}) as "isHeld"`,
  );
  if (lock?.isHeld !== true) return false;
  try {
    for (const index of LATE_INDEXES) await build(query, index);
  } finally {
    await query(`select pg_advisory_unlock(${BUILDING_LOCK})`);
  }
  return true;
}

async function areThere(query: Query): Promise<boolean> {
  for (const index of LATE_INDEXES) {
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
