/** Which names a list shows: one, or those that match each of these patterns of LIKE. */
export interface NameFilter {
  readonly name: string | undefined;
  readonly like: readonly string[];
  /** The same, whatever the case of letters. */
  readonly ilike: readonly string[];
}

/** The condition on a column, and its bindings. */
export function nameCondition(
  column: string,
  { name, like, ilike }: NameFilter,
): { readonly sql: string; readonly bindings: readonly string[] } {
  const wanted: [string, readonly string[]][] = [
    ['=', name === undefined ? [] : [name]],
    ['like', like],
    ['ilike', ilike],
  ];
  return {
    sql: wanted
      .flatMap(([operator, texts]) => texts.map(() => ` and ${column} ${operator} ?`))
      .join(''),
    bindings: wanted.flatMap(([, texts]) => texts),
  };
}
