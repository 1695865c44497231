import type { ListedRecord } from './use-records.js';

export type SortColumn = 'name' | 'type' | 'data' | 'ttl' | 'changed';

export interface Sorting {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

const texts = new Intl.Collator('en', { numeric: true });

/** By labels from the right, as zones are ordered (RFC 4034 s6.1): what is below a name stands behind it. */
function nameKey(name: string): string {
  return name.split('.').toReversed().join('\u0000');
}

export function sortRecords(
  records: readonly ListedRecord[],
  { column, isDescending }: Sorting,
): readonly ListedRecord[] {
  const sign = isDescending ? -1 : 1;
  if (column === 'name') {
    const keyed = records.map((record) => ({ record, key: nameKey(record.name) }));
    keyed.sort(
      (a, b) =>
        sign *
        (a.key < b.key ? -1 : a.key > b.key ? 1 : texts.compare(a.record.type, b.record.type)),
    );
    return keyed.map(({ record }) => record);
  }
  return records.toSorted((a, b) => sign * COMPARE[column](a, b));
}

type Compare = (a: ListedRecord, b: ListedRecord) => number;

const COMPARE: Readonly<Record<Exclude<SortColumn, 'name'>, Compare>> = {
  type: (a, b) => texts.compare(a.type, b.type),
  data: (a, b) => texts.compare(a.data, b.data),
  ttl: (a, b) => (a.effective_ttl ?? 0) - (b.effective_ttl ?? 0),
  changed: (a, b) => texts.compare(a.updated_at ?? a.created_at, b.updated_at ?? b.created_at),
};
