import { invalidRequest, type Problem, problemsOf, ServiceError } from '@zonewright/service-kit';
import type { LockedZone, Zone } from '../rows/zone.js';
import { checkLimits } from '../write/check-changes.js';
import { NO_CHANGES } from '../write/changes/judged-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { Batch } from './batch.js';
import { type ItemOutcome, planBatch } from './plan-batch.js';

export interface BatchResult {
  /** Zone after the batch; unchanged after a dry run. */
  readonly zone: Zone;
  readonly outcomes: readonly ItemOutcome[];
  /** Why nothing of it would be done; undefined unless it was only tried. */
  readonly refusal: readonly Problem[] | undefined;
}

/**
 * Up to ten thousand changes in one transaction and one step of the serial. All or nothing unless the request says
 * otherwise. A dry run is never refused for its items: it is there to show them all.
 *
 * @throws ServiceError with the problems of all items: `invalid`, `conflict` or `precondition-failed`.
 */
export async function runBatch(
  work: UnitOfWork,
  zone: LockedZone,
  batch: Batch,
): Promise<BatchResult> {
  const plan = await planBatch(work, zone, batch.items);
  const { outcomes } = plan;
  const failures = batch.atomic ? findFailures(outcomes) : undefined;
  const { judged, unconfirmed } =
    failures === undefined
      ? await checkLimits(work, zone, plan, { confirmation: { confirm: batch.confirm } })
      : { judged: NO_CHANGES, unconfirmed: [] };
  const refusal = failures ?? (unconfirmed.length > 0 ? invalidRequest(unconfirmed) : undefined);
  if (work.isDryRun) {
    return { zone, outcomes, refusal: refusal === undefined ? [] : problemsOf(refusal) };
  }
  if (refusal !== undefined) throw refusal;
  return { zone: await writeChanges(work, zone, judged), outcomes, refusal: undefined };
}

function findFailures(outcomes: readonly ItemOutcome[]): ServiceError | undefined {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length === 0) return undefined;
  const problems = outcomes.flatMap(({ problems: own }, at) =>
    own.map((problem): Problem => ({ ...problem, path: itemPath(at, problem.path) })),
  );
  if (failed.every(({ kind }) => kind === 'conflict')) {
    return new ServiceError('conflict', 'Records of the batch exist already; errors lists them.', {
      details: { subject: 'record', problems },
    });
  }
  if (failed.every(({ kind }) => kind === 'precondition-failed')) {
    const message = 'Records of the batch were changed meanwhile; errors lists them.';
    return new ServiceError('precondition-failed', message, { details: { problems } });
  }
  return invalidRequest(problems);
}

/** Returns the path of an item's problem in the request body. */
export function itemPath(at: number, path: string): string {
  const isOfItem = path === 'id' || path === 'if_version';
  return isOfItem ? `operations[${at}].${path}` : `operations[${at}].record.${path}`;
}
