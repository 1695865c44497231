import type { RecordChange } from '@zonewright/zones';
import { renderListedRecord } from './render.js';

type Shown = NonNullable<RecordChange['after']>;

/** More of a difference nobody reads; the counts tell how much there is. */
const MAX_CHANGES_SHOWN = 1_000;
const MAX_OCTETS_SHOWN = 1_048_576;

/** Renders the result of a dry run of many changes: each record that would be created, changed or deleted. */
export function renderDifference(changes: readonly RecordChange[], tenantId: string) {
  const shown = shownChanges(changes);
  // Few records have flags, and clients need them to undo changes.
  const hasFlags = changes.some(
    ({ before, after }) => (before?.flags ?? after?.flags) !== undefined,
  );
  const render = (record: Shown) => renderListedRecord(record, tenantId, hasFlags);
  return {
    create: shown.flatMap(({ before, after }) => (before === undefined ? [render(after)] : [])),
    update: shown.flatMap(({ before, after }) =>
      before === undefined || after === undefined
        ? []
        : [
            {
              before: render(before),
              after: render(after),
            },
          ],
    ),
    delete: shown.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [render(before)] : [],
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
