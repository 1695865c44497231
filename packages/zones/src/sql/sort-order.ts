/** In which order a list is wanted. */
export interface SortOrder<K extends string> {
  readonly key: K;
  readonly isDescending: boolean;
}

/** SQL expressions of sort values for a row alias. They are never null. */
export type SortColumns<K extends string> = Readonly<Record<K, (alias: string) => string>>;

/** `order by` of rows with that alias; the id tells equal ones apart. */
export function orderBy<K extends string>(
  columns: SortColumns<K>,
  { key, isDescending }: SortOrder<K>,
  alias: string,
): string {
  const direction = isDescending ? 'desc' : 'asc';
  return `${columns[key](alias)} ${direction}, ${alias}.id ${direction}`;
}

/** Condition for rows after the row with the id `:marker`. */
export function isBehindMarker<K extends string>(
  columns: SortColumns<K>,
  { key, isDescending }: SortOrder<K>,
  { alias, table }: { readonly alias: string; readonly table: string },
): string {
  const column = columns[key];
  return `(${column(alias)}, ${alias}.id) ${isDescending ? '<' : '>'}
            (select ${column('m')}, m.id from ${table} as m where m.id = :marker)`;
}
