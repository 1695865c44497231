import type { Zone } from '../../rows/zone.js';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import type { RecordChange } from '../changes/record-change.js';
import { isServed } from '../../rows/record.js';

/** Below this many records a share says nothing. */
const GUARDED_RECORDS = 10;
const GUARDED_SHARE = 0.3;

/**
 * A request that would remove more than 30% of a zone's records, of at least 10, is more often a mistake than a
 * wish: it needs `"confirm": true`.
 *
 * @throws ServiceError `invalid`.
 */
export function requireConfirmation(
  zone: Zone,
  changes: readonly RecordChange[],
  confirm: boolean,
): void {
  const problems = checkConfirmation(zone, changes, confirm);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The same as problems: none, or that it is not confirmed. */
export function checkConfirmation(
  zone: Zone,
  changes: readonly RecordChange[],
  confirm: boolean,
): Problem[] {
  const isLarge =
    zone.recordCount >= GUARDED_RECORDS && countRemoved(changes) > zone.recordCount * GUARDED_SHARE;
  return isLarge && !confirm ? [confirmationProblem(zone, changes)] : [];
}

/** For what comes in the place of all that is there: removing the last record of a small zone counts, too. */
export function checkReplacement(
  zone: Zone,
  changes: readonly RecordChange[],
  confirm: boolean,
): Problem[] {
  const removed = countRemoved(changes);
  if (confirm || removed === 0 || removed < zone.recordCount) {
    return checkConfirmation(zone, changes, confirm);
  }
  return [confirmationProblem(zone, changes)];
}

function countRemoved(changes: readonly RecordChange[]): number {
  return changes.filter(
    ({ before, after }) =>
      before !== undefined && isServed(before) && (after === undefined || !isServed(after)),
  ).length;
}

function confirmationProblem(zone: Zone, changes: readonly RecordChange[]): Problem {
  return {
    path: 'confirm',
    validator: 'confirm',
    message: `this would remove ${countRemoved(changes)} of the domain's ${zone.recordCount} records; send "confirm": true if that is meant.`,
  };
}
