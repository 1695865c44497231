/**
 * SQL to follow a table in a FROM: columns that an earlier schema lacks, where they are null (ADR 0001). A name that
 * the row does not know is found one level up. The planner resolves all of it, so it costs nothing. It plans a prepared
 * statement again after a migration.
 * @param row The table's alias; its columns come as `later_${row}`.
 * @param columns The type of each.
 */
export function laterColumns(row: string, columns: Readonly<Record<string, string>>): string {
  const names = Object.keys(columns).join(', ');
  const absent = Object.entries(columns).map(([name, type]) => `null::${type} as ${name}`);
  return `
    cross join lateral (select here.* from (select ${absent.join(', ')}) as absent
      cross join lateral (select ${names} from (select ${row}.*) as of_row) as here) as later_${row}`;
}
