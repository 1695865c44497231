/** Filter of a text: an exact value, or a pattern of SQL. */
export type TextFilter = { readonly equals: string } | { readonly like: string };

/** A filter as clients write it: `*` stands for any text, and all else for itself. */
export function readTextFilter(text: string): TextFilter {
  if (!text.includes('*')) return { equals: text };
  return { like: text.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%') };
}

/** Whether a text fulfils the filter, as textCondition asks PostgreSQL; without going back, however many `*` it has. */
export function matchesText(filter: TextFilter | undefined, text: string | null): boolean {
  if (filter === undefined) return true;
  if (text === null) return false;
  return 'equals' in filter ? filter.equals === text : matchesPattern(filter.like, text);
}

function matchesPattern(like: string, text: string): boolean {
  const parts = like.split(/(?<!\\)%/).map((part) => part.replaceAll(/\\(.)/gs, '$1'));
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  if (!text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** A condition of SQL, and the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: Readonly<Record<string, string | number | readonly string[]>>;
}

/** True of every row. */
export const ANY_ROW: Condition = { sql: 'true', values: {} };

/** The condition that a column fulfils the filter; `name` is that of its parameter. */
export function textCondition(
  column: string,
  name: string,
  filter: TextFilter | undefined,
): Condition {
  if (filter === undefined) return ANY_ROW;
  return 'equals' in filter
    ? { sql: `${column} = :${name}`, values: { [name]: filter.equals } }
    : { sql: `${column} like :${name}`, values: { [name]: filter.like } };
}

/** The condition that a column has this value. */
export function valueCondition(
  column: string,
  name: string,
  value: string | number | undefined,
): Condition {
  return value === undefined ? ANY_ROW : { sql: `${column} = :${name}`, values: { [name]: value } };
}

/** All of them together. */
export function allOf(conditions: readonly Condition[]): Condition {
  const some = conditions.filter((condition) => condition !== ANY_ROW);
  if (some.length === 0) return ANY_ROW;
  return {
    sql: some.map(({ sql }) => `(${sql})`).join(' and '),
    values: Object.assign({}, ...some.map(({ values }) => values)) as Condition['values'],
  };
}
