import type { Database } from '@zonewright/database';

/** Which part of a list is wanted, and in which order. */
export interface ListPage {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly marker: string | undefined;
  /** One of the listing's keys. */
  readonly sortKey: string;
  readonly isDescending: boolean;
}

/** A part of a list, and how many items all of it has. */
export interface ListedPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

type Bindings = Readonly<Record<string, string | number | null>>;

/** A list whose rows can be had in several orders, page by page. */
export interface Listing {
  readonly columns: string;
  /** With the alias `l`, and what is joined to it. */
  readonly from: string;
  /** What gives the id that a marker holds. */
  readonly id: string;
  /** Expressions that are never null, by the names under which clients know them. */
  readonly sortKeys: Readonly<Record<string, string>>;
}

/** @throws RangeError for a key that the listing does not have; faces refuse it before */
export async function listPage<T>(
  db: Database,
  { columns, from, id, sortKeys }: Listing,
  { where, bindings }: { readonly where: readonly string[]; readonly bindings: Bindings },
  { limit, marker, sortKey, isDescending }: ListPage,
): Promise<ListedPage<T>> {
  const key = sortKeys[sortKey];
  if (key === undefined) throw new RangeError(`this list is not sorted by ${sortKey}`);
  const all = where.length === 0 ? 'true' : where.join(' and ');
  const direction = isDescending ? 'desc' : 'asc';
  const after =
    marker === undefined
      ? 'true'
      : `(${key}, ${id}) ${isDescending ? '<' : '>'}
           (select ${key}, ${id} from ${from} where ${all} and ${id} = cast(:marker as uuid))`;
  const { rows } = await db.raw<{ rows: T[] }>(
    `select ${columns} from ${from} where ${all} and ${after}
      order by ${key} ${direction}, ${id} ${direction} limit :limit`,
    { ...bindings, marker: marker ?? null, limit },
  );
  const isAll = marker === undefined && rows.length < limit;
  return { items: rows, total: isAll ? rows.length : await count(db, from, all, bindings) };
}

async function count(
  db: Database,
  from: string,
  where: string,
  bindings: Bindings,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from ${from} where ${where}`,
    bindings,
  );
  return rows[0]?.count ?? 0;
}
