import { renderListedRecord } from '../records/render.js';
import { renderOutcome } from '../http/render-outcome.js';
import { itemPath, type BatchResult } from '@zonewright/zones';

/** The answer to a batch: the serial, and what became of each item, in their order. */
export function renderBatch({ zone, outcomes, refusal }: BatchResult) {
  const done = refusal === undefined ? 'done' : 'would_do';
  return {
    ...renderOutcome(refusal),
    serial: zone.serial,
    results: outcomes.map(({ item, change, record, problems }, at) => ({
      action: item.action,
      status: problems.length > 0 ? 'refused' : change === undefined ? 'unchanged' : done,
      record: record === undefined ? null : renderListedRecord(record, zone.tenantId),
      errors: problems.map((problem) => ({ ...problem, path: itemPath(at, problem.path) })),
    })),
  };
}
