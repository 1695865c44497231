import { renderZone } from '../domains/render.js';
import type { ImportResult, RecordChange } from '@zonewright/zones';
import { renderListedRecord } from '../records/render.js';
import { renderOutcome } from '../http/render-outcome.js';

/** More of a difference nobody reads; the counts tell how much there is. */
const MAX_CHANGES_SHOWN = 1_000;
const MAX_OCTETS_SHOWN = 1_048_576;

/** The answer to an import: how much changed, which lines were not taken and why, and for a dry run the difference. */
export function renderImport(result: ImportResult) {
  const { zone, changes, refusal } = result;
  return {
    ...renderOutcome(refusal),
    domain: renderZone(zone),
    created: changes.filter(({ before }) => before === undefined).length,
    updated: changes.filter(({ before, after }) => before !== undefined && after !== undefined)
      .length,
    deleted: changes.filter(({ after }) => after === undefined).length,
    unchanged: result.unchanged,
    not_taken: result.notTaken,
    not_taken_count: result.notTakenCount,
    ...(refusal === undefined ? {} : { difference: renderDifference(changes, zone.tenantId) }),
  };
}

function renderDifference(changes: readonly RecordChange[], tenantId: string) {
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
