import type { Database } from '@zonewright/database';
import { hasColumn, hasTable } from '../sql/has-column.js';

/** Whether the schema has signed zones: not before migration 0036. */
export async function knowsSigning(db: Database): Promise<boolean> {
  return await hasTable(db, 'zone_dnssec');
}

/** Whether DS can be held back: not before migration 0046. */
export async function knowsDsFrom(db: Database): Promise<boolean> {
  return await hasColumn(db, 'zone_keys', 'ds_from');
}

/** Whether zones can have keys of other providers: not before migration 0051. */
export async function knowsForeignKeys(db: Database): Promise<boolean> {
  return await hasColumn(db, 'zone_dnssec', 'foreign_keys');
}
