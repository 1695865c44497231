import type { Database } from '../connection/connection.js';
import { queryRow } from '../connection/query.js';

/**
 * Tables and columns that were found, which stay. The key is the config that a pool's connections and their
 * transactions share.
 */
const found = new WeakMap<object, Set<string>>();

/** Whether there is a table, such as `dns.peers`, already: this code also runs on an earlier one, until it is migrated (ADR 0001). */
export async function hasTable(db: Database, table: string): Promise<boolean> {
  return await isThere(db, table, () =>
    queryRow(db, 'select 1 as there where to_regclass(?) is not null', [table]),
  );
}

/** Whether a table has a column already. */
export async function hasColumn(db: Database, table: string, column: string): Promise<boolean> {
  return await isThere(db, `${table}.${column}`, () =>
    queryRow(
      db,
      'select 1 as there from pg_attribute where attrelid = to_regclass(?) and attname = ? and not attisdropped',
      [table, column],
    ),
  );
}

async function isThere(db: Database, name: string, look: () => Promise<unknown>): Promise<boolean> {
  const { config } = db.client as { readonly config: object };
  const names = found.get(config) ?? new Set();
  if (names.has(name)) return true;
  if ((await look()) === undefined) return false;
  found.set(config, names.add(name));
  return true;
}
