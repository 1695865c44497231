import type { Difference } from '@zonewright/client';
import type { Host } from '../command/host.js';
import { marksFor } from '../output/marks.js';
import { compareRecords, renderRecord } from './names.js';

/** Lines for created, changed and deleted records. */
export function renderDifference(host: Host, difference: Difference | undefined): string[] {
  if (difference === undefined) return [];
  const { added, changed, removed } = marksFor(host);
  return [
    ...difference.create
      .toSorted(compareRecords)
      .map((record) => `  ${added} ${renderRecord(record)}`),
    ...difference.update.map(
      ({ before, after }) => `  ${changed} ${renderRecord(before)}  =>  ${renderRecord(after)}`,
    ),
    ...difference.delete
      .toSorted(compareRecords)
      .map((record) => `  ${removed} ${renderRecord(record)}`),
    ...(difference.complete ? [] : ['  and more']),
  ];
}
