import type { Database } from '@zonewright/database';
import type { Condition } from './text-filter.js';

/** Page and order of a list. */
export interface ListOrder<K extends string> {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly marker: string | undefined;
  readonly sortKey: K;
  readonly isDescending: boolean;
}

/** A part of a list, whether there is more behind it, and how many items all of it has. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
  readonly totalCount: number;
}

/** A list whose rows can be had in several orders, page by page. */
export interface Listing<K extends string> {
  readonly columns: string;
  /** With the alias `l`, and what is joined to it. */
  readonly from: string;
  /** SQL expression of the id in a marker. */
  readonly id: string;
  /** Expressions that are never null, by the names under which clients know them. */
  readonly sortColumns: Readonly<Record<K, string>>;
}

/** Undefined: the marker is not in the list. */
export async function listPage<T, K extends string>(
  db: Database,
  { columns, from, id, sortColumns }: Listing<K>,
  { sql, values }: Condition,
  { limit, marker, sortKey, isDescending }: ListOrder<K>,
): Promise<ListedPage<T> | undefined> {
  const column = sortColumns[sortKey];
  const direction = isDescending ? 'desc' : 'asc';
  const bindings = { ...values, limit: limit + 1, ...(marker === undefined ? {} : { marker }) };
  const atMarker = `${from} where ${sql} and ${id} = cast(:marker as uuid)`;
  const count = async (rest: string) => {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      `select count(*) as count from ${rest}`,
      bindings,
    );
    return rows[0]?.count ?? 0;
  };
  if (marker !== undefined && (await count(atMarker)) === 0) return undefined;
  const isBehind =
    marker === undefined
      ? 'true'
      : `(${column}, ${id}) ${isDescending ? '<' : '>'} (select ${column}, ${id} from ${atMarker})`;
  const { rows } = await db.raw<{ rows: T[] }>(
    `select ${columns} from ${from} where ${sql} and ${isBehind}
      order by ${column} ${direction}, ${id} ${direction} limit :limit`,
    bindings,
  );
  const isCut = rows.length > limit;
  const isAll = marker === undefined && !isCut;
  const totalCount = isAll ? rows.length : await count(`${from} where ${sql}`);
  return { items: rows.slice(0, limit), isCut, totalCount };
}
