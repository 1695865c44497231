import type { Database } from '@zonewright/database';
import { hasTable } from '../sql/has-column.js';

/** Whether the schema has flags of records: not before migration 0050. */
export async function knowsFlags(db: Database): Promise<boolean> {
  return await hasTable(db, 'disabled_records');
}
