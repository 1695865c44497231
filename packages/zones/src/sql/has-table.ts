import { type Database, queryRow } from '@zonewright/database';

/** Whether the schema has it already: this code also runs on an earlier one, until it is migrated (ADR 0001). */
export async function hasTable(db: Database, table: string): Promise<boolean> {
  const row = await queryRow<{ isThere: boolean }>(
    db,
    `select to_regclass(?) is not null as "isThere"`,
    [`dns.${table}`],
  );
  return row?.isThere === true;
}
