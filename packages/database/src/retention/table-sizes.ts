import type { Database } from '../connection/connection.js';

/** Size of a table on disk, with its indexes and its long values. */
export interface TableSize {
  /** With its schema. */
  readonly table: string;
  readonly octets: number;
}

/** The tables of the given schemas, the largest first. Needs no right to the tables themselves. */
export async function listTableSizes(db: Database, ...schemas: string[]): Promise<TableSize[]> {
  const { rows } = await db.raw<{ rows: TableSize[] }>(
    `select n.nspname || '.' || c.relname as "table", pg_total_relation_size(c.oid) as octets
       from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = any(?::text[]) and c.relkind = 'r'
      order by octets desc`,
    [schemas],
  );
  return rows;
}
