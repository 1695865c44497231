import type { ZoneRecord } from '@zonewright/client';

export type SortColumn = 'name' | 'type' | 'data' | 'ttl' | 'changed';

export interface Sorting {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

const texts = new Intl.Collator('en', { numeric: true });

/**
 * Returns the sort key: labels from right to left, as in canonical order (RFC 4034 s6.1). Names below a name follow it.
 */
function nameKey(name: string): string {
  return name.split('.').toReversed().join('\u0000');
}

/** @param isGrouped keeps records of one name together, whatever the sort order */
export function sortRecords(
  records: readonly ZoneRecord[],
  { column, isDescending }: Sorting,
  isGrouped: boolean,
): readonly ZoneRecord[] {
  const sign = isDescending ? -1 : 1;
  if (column === 'name') return sortByName(records, sign);
  const sorted = records.toSorted((a, b) => sign * COMPARE[column](a, b));
  return isGrouped ? [...groupByName(sorted).values()].flat() : sorted;
}

function sortByName(records: readonly ZoneRecord[], sign: number): readonly ZoneRecord[] {
  const keyed = records.map((record) => ({ record, key: nameKey(record.name) }));
  keyed.sort(
    (a, b) =>
      sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : texts.compare(a.record.type, b.record.type)),
  );
  return keyed.map(({ record }) => record);
}

/** Groups records by name, in the order in which the names first occur. */
function groupByName(records: readonly ZoneRecord[]): ReadonlyMap<string, ZoneRecord[]> {
  const groups = new Map<string, ZoneRecord[]>();
  for (const record of records) {
    const group = groups.get(record.name);
    if (group === undefined) groups.set(record.name, [record]);
    else group.push(record);
  }
  return groups;
}

type Compare = (a: ZoneRecord, b: ZoneRecord) => number;

const COMPARE: Readonly<Record<Exclude<SortColumn, 'name'>, Compare>> = {
  type: (a, b) => texts.compare(a.type, b.type),
  data: (a, b) => texts.compare(a.data, b.data),
  ttl: (a, b) => (a.effective_ttl ?? 0) - (b.effective_ttl ?? 0),
  changed: (a, b) => texts.compare(a.updated_at ?? a.created_at, b.updated_at ?? b.created_at),
};
