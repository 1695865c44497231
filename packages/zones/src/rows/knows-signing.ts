import type { Database } from '@zonewright/database';
import { hasTable } from '../sql/has-column.js';

/** Whether the schema has signed zones: not before migration 0036. */
export async function knowsSigning(db: Database): Promise<boolean> {
  return await hasTable(db, 'zone_dnssec');
}
