import { type Database, errorCode } from '@zonewright/database';

/** Page and order of a list. */
export interface ListOrder<K extends string> {
  readonly limit: number;
  /** Id of the last item of the previous page. */
  readonly marker: string | undefined;
  /** Sort value of that item, which the link to the page has. It counts if the item was deleted in the meantime. */
  readonly position?: string | undefined;
  readonly sortKey: K;
  readonly isDescending: boolean;
}

/** Page of a list, whether more items follow, and the total number of items. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
  readonly totalCount: number;
  /** Sort value of the last item. Undefined if the page is empty. */
  readonly lastPosition: string | undefined;
}

/** List whose rows can be sorted in several orders and read page by page. */
export interface Listing<K extends string> {
  readonly columns: string;
  /** Tables with the alias `l`, and joined tables. */
  readonly from: string;
  /** SQL expression of the id in a marker. */
  readonly id: string;
  /** Sort expressions, which are never null, by the names that clients use. */
  readonly sortColumns: Readonly<Record<K, string>>;
}

/** Class of PostgreSQL's errors for texts that are not values of a type. */
const DATA_EXCEPTION = /^22/;

/** Returns undefined if the marker is not in the list. */
export async function listPage<T, K extends string>(
  db: Database,
  listing: Listing<K>,
  condition: Condition,
  order: ListOrder<K>,
): Promise<ListedPage<T> | undefined> {
  const { marker } = order;
  const stored =
    marker === undefined ? undefined : await findPosition(db, listing, condition, order);
  const position = stored ?? order.position;
  if (marker !== undefined && position === undefined) return undefined;
  try {
    return await listAfter(db, listing, condition, { ...order, position });
  } catch (error) {
    // The position of a client is not a value of the column.
    if (stored === undefined && DATA_EXCEPTION.test(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Returns the sort value of the item `marker`. Undefined if it is not in the list. */
async function findPosition<K extends string>(
  db: Database,
  { from, id, sortColumns }: Listing<K>,
  { sql, values }: Condition,
  { marker = '', sortKey }: ListOrder<K>,
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { position: string }[] }>(
    `select cast(${sortColumns[sortKey]} as text) as position from ${from}
      where ${sql} and ${id} = cast(:marker as uuid)`,
    { ...values, marker },
  );
  return rows[0]?.position;
}

async function listAfter<T, K extends string>(
  db: Database,
  { columns, from, id, sortColumns }: Listing<K>,
  { sql, values }: Condition,
  { limit, marker, position, sortKey, isDescending }: ListOrder<K>,
): Promise<ListedPage<T>> {
  const column = sortColumns[sortKey];
  const direction = isDescending ? 'desc' : 'asc';
  const start = marker === undefined ? {} : { marker, position: position ?? '' };
  const bindings = { ...values, limit: limit + 1, ...start };
  const count = async (rest: string) => {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      `select count(*) as count from ${rest}`,
      bindings,
    );
    return rows[0]?.count ?? 0;
  };
  const isBehind =
    marker === undefined
      ? 'true'
      : `(${column}, ${id}) ${isDescending ? '<' : '>'} (:position, cast(:marker as uuid))`;
  const { rows } = await db.raw<{ rows: (T & { readonly position: string })[] }>(
    `select ${columns}, cast(${column} as text) as position from ${from} where ${sql} and ${isBehind}
      order by ${column} ${direction}, ${id} ${direction} limit :limit`,
    bindings,
  );
  const isCut = rows.length > limit;
  const isAll = marker === undefined && !isCut;
  const totalCount = isAll ? rows.length : await count(`${from} where ${sql}`);
  const items = rows.slice(0, limit);
  return { items, isCut, totalCount, lastPosition: items.at(-1)?.position };
}

/** Order of a list. */
export interface SortOrder<K extends string> {
  readonly key: K;
  readonly isDescending: boolean;
}

/** SQL expressions of sort values for a row alias. They are never null. */
type SortColumns<K extends string> = Readonly<Record<K, (alias: string) => string>>;

/** Returns `order by` for rows with the alias. Equal values are sorted by id. */
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

/** Filter of a text: an exact value, or a pattern of SQL. */
export type TextFilter = { readonly equals: string } | { readonly like: string };

/** Reads a filter of a client: `*` matches any text, `\*` an asterisk, and any other character itself. */
export function readTextFilter(text: string): TextFilter {
  const [first = '', ...rest] = text
    .split(/(?<!\\)\*/)
    .map((part) => part.replaceAll(String.raw`\*`, '*'));
  if (rest.length === 0) return { equals: first };
  const escaped = [first, ...rest].map((part) => part.replaceAll(/[\\%_]/g, String.raw`\$&`));
  return { like: escaped.join('%') };
}

/**
 * Whether a text matches the filter, as textCondition does in PostgreSQL. It does not backtrack, however many `*` there
 * are.
 */
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

/** SQL condition with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: Readonly<Record<string, string | number | readonly string[]>>;
}

export const ANY_ROW: Condition = { sql: 'true', values: {} };

/** Returns the condition that a column matches the filter. `name` is the name of its parameter. */
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

/** Returns the condition that a column has this value. */
export function valueCondition(
  column: string,
  name: string,
  value: string | number | undefined,
): Condition {
  return value === undefined ? ANY_ROW : { sql: `${column} = :${name}`, values: { [name]: value } };
}

/** Joins conditions with `and`. */
export function allOf(conditions: readonly Condition[]): Condition {
  const some = conditions.filter((condition) => condition !== ANY_ROW);
  if (some.length === 0) return ANY_ROW;
  return {
    sql: some.map(({ sql }) => `(${sql})`).join(' and '),
    values: Object.assign({}, ...some.map(({ values }) => values)) as Condition['values'],
  };
}
