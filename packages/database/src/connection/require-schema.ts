import type pg from 'pg';
import { MIGRATIONS } from '../migrations/index.js';
import { errorCode, SchemaBehindError, SQLSTATE } from './errors.js';

/**
 * Requires that a database has the migrations of this program (ADR 0063). Later migrations are allowed.
 *
 * @throws SchemaBehindError
 */
export async function requireSchema(connection: pg.Client): Promise<void> {
  const applied = await listApplied(connection);
  const missing = MIGRATIONS.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) throw new SchemaBehindError(missing.map(({ name }) => name));
}

async function listApplied(connection: pg.Client): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await connection.query<{ name: string }>(
      'select m.name from zonewright_migrations as m',
    );
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (errorCode(error) === SQLSTATE.undefinedTable) return new Set();
    throw error;
  }
}
