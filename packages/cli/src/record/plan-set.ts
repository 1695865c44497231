import {
  type Difference,
  pairChanges,
  type RecordChanges,
  type RecordContent,
  type RecordOperation,
  type ZoneRecord,
} from '@zonewright/client';
import { printable } from '@zonewright/terminal';
import { type Host, marksFor } from '../command/host.js';
import { hasFlags } from './flags.js';
import { compareRecords, type RecordLine, renderRecord, renderUpdate } from './names.js';

/**
 * Returns the changes that turn the records of one name and type into the given ones. Equal records are not changed.
 * The others are updated if possible, so that a record keeps its id.
 */
export function planSet(
  present: readonly ZoneRecord[],
  wanted: readonly RecordContent[],
): RecordOperation[] {
  const missing = [...wanted];
  const superfluous = present.filter((record) => {
    const index = missing.findIndex((content) => isSame(record, content));
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  return [
    ...superfluous.map(({ id, version, data, priority }): RecordOperation => {
      // Prefer a record with the same data, so that only its other members change.
      const same = missing.findIndex(
        (content) => content.data === data && (content.priority ?? null) === priority,
      );
      const [record] = missing.splice(Math.max(0, same), 1);
      const kept = { id, if_version: version };
      return record === undefined
        ? { action: 'delete', ...kept }
        : { action: 'update', ...kept, record };
    }),
    ...missing.map((record): RecordOperation => ({ action: 'create', record })),
  ];
}

/** Whether the record needs no change. A TTL that was not given is not compared. */
function isSame(record: ZoneRecord, wanted: RecordContent): boolean {
  const { data, priority = null, ttl } = wanted;
  return (
    hasFlags(record, wanted) &&
    record.data === data &&
    record.priority === priority &&
    (ttl === undefined || record.ttl === ttl)
  );
}

/** Renders lines for created, changed and deleted records. */
export function renderDifference(host: Host, difference: Difference | undefined): string[] {
  if (difference === undefined) return [];
  const lines = renderChanges(host, pairChanges<RecordLine>(difference));
  return [...lines.map((line) => `  ${line}`), ...(difference.complete ? [] : ['  and more'])];
}

/** Renders records in the order in which people read them, one line for each. */
export function renderChanges(host: Host, changes: RecordChanges<RecordLine>): string[] {
  const { added, changed, removed } = marksFor(host);
  const sorted = (records: readonly RecordLine[], mark: string) =>
    records.toSorted(compareRecords).map((record) => `${mark} ${printable(renderRecord(record))}`);
  return [
    ...sorted(changes.create, added),
    ...changes.update
      .toSorted((a, b) => compareRecords(a.after, b.after))
      .map(({ before, after }) => `${changed} ${printable(renderUpdate(before, after))}`),
    ...sorted(changes.delete, removed),
  ];
}
