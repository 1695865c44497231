import { renderListedRecord } from '../records/render.js';
import { renderOutcome } from '../http/render-outcome.js';
import { mapInSlices } from '@zonewright/service-kit';
import { itemPath, type BatchResult } from '@zonewright/zones';

/** The answer to a batch: the serial, and what became of each item, in their order. */
export async function renderBatch({ zone, outcomes, refusal }: BatchResult, hasFlags: boolean) {
  const done = refusal === undefined ? 'done' : 'would_do';
  return {
    ...renderOutcome(refusal),
    serial: zone.serial,
    results: await mapInSlices(outcomes.entries(), ([at, { item, change, record, problems }]) => ({
      action: item.action,
      status: problems.length > 0 ? 'refused' : change === undefined ? 'unchanged' : done,
      record: record === undefined ? null : renderListedRecord(record, zone.tenantId, hasFlags),
      errors: problems.map((problem) => ({ ...problem, path: itemPath(at, problem.path) })),
    })),
  };
}
