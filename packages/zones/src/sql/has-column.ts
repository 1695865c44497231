import * as database from '@zonewright/database';

/** Whether the schema `dns` has a table already: this code also runs on an earlier one, until it is migrated (ADR 0001). */
export async function hasTable(db: database.Database, table: string): Promise<boolean> {
  return await database.hasTable(db, `dns.${table}`);
}

/** Whether a table of it has a column already. */
export async function hasColumn(
  db: database.Database,
  table: string,
  column: string,
): Promise<boolean> {
  return await database.hasColumn(db, `dns.${table}`, column);
}
