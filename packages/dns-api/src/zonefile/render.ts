import { renderZone } from '../domains/render.js';
import type { ImportResult } from '@zonewright/zones';
import { renderDifference } from '../records/render-difference.js';
import { renderOutcome } from '../http/render-outcome.js';

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
