import { ServiceError } from '@zonewright/service-kit';
import type { LockedZone, Zone } from '../domains/zone.js';
import { invalidRequest, type Problem } from '../problem.js';
import { requireConfirmation } from '../records/record-guard.js';
import { requireRecordQuota } from '../records/record-rules.js';
import { writeChanges } from '../records/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { BatchRequest } from './batch-form.js';
import { type ItemOutcome, planBatch } from './plan-batch.js';

export interface BatchResult {
  /** As it is now; after a dry run, as it was. */
  readonly zone: Zone;
  readonly outcomes: readonly ItemOutcome[];
  readonly isDryRun: boolean;
}

/**
 * Up to a thousand changes in one transaction and one step of the serial. All or nothing unless the request says
 * otherwise; a dry run says what would happen, and does nothing.
 *
 * @throws ServiceError `invalid` or `conflict` with the problems of all items.
 */
export async function runBatch(
  work: UnitOfWork,
  zone: LockedZone,
  batch: BatchRequest,
  isDryRun: boolean,
): Promise<BatchResult> {
  const outcomes = await planBatch(work, zone, batch.items);
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  await requireRecordQuota(work, zone, changes);
  if (isDryRun) return { zone, outcomes, isDryRun };
  if (batch.atomic) refuseFailures(outcomes);
  requireConfirmation(zone, changes, batch.confirm);
  return { zone: await writeChanges(work, zone, changes), outcomes, isDryRun };
}

function refuseFailures(outcomes: readonly ItemOutcome[]): void {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length === 0) return;
  const problems = outcomes.flatMap(({ problems: own }, at) =>
    own.map((problem): Problem => ({ ...problem, path: itemPath(at, problem.path) })),
  );
  if (!failed.every(({ isConflict }) => isConflict)) throw invalidRequest(problems);
  throw new ServiceError('conflict', 'Records of the batch exist already; errors lists them.', {
    details: { subject: 'record', problems },
  });
}

/** Where a problem of an item stands in the body. */
export function itemPath(at: number, path: string): string {
  return path === 'id' ? `operations[${at}].id` : `operations[${at}].record.${path}`;
}
