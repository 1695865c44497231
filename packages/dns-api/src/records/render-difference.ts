import type { RecordChange } from '@zonewright/zones';
import { renderListedRecord } from './render.js';

/** More of a difference nobody reads; the counts tell how much there is. */
const MAX_CHANGES_SHOWN = 1_000;
const MAX_OCTETS_SHOWN = 1_048_576;

/** What a dry run of many changes shows: each record that would come, change or go. */
export function renderDifference(changes: readonly RecordChange[], tenantId: string) {
  const shown = shownChanges(changes);
  return {
    create: shown.flatMap(({ before, after }) =>
      before === undefined ? [renderListedRecord(after, tenantId)] : [],
    ),
    update: shown.flatMap(({ before, after }) =>
      before === undefined || after === undefined
        ? []
        : [
            {
              before: renderListedRecord(before, tenantId),
              after: renderListedRecord(after, tenantId),
            },
          ],
    ),
    delete: shown.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [renderListedRecord(before, tenantId)] : [],
    ),
    complete: shown.length === changes.length,
  };
}

function shownChanges(changes: readonly RecordChange[]): readonly RecordChange[] {
  let octets = 0;
  const first = changes.slice(0, MAX_CHANGES_SHOWN);
  const end = first.findIndex(({ before, after }) => {
    octets += (before?.data.length ?? 0) + (after?.data.length ?? 0);
    return octets > MAX_OCTETS_SHOWN;
  });
  return end === -1 ? first : first.slice(0, end);
}
