import type { Problem } from '@zonewright/service-kit';
import type { Zone } from '../../rows/zone.js';
import { type RecordChange, served } from '../changes/record-change.js';

/** Smallest number of records of a zone that is guarded. */
const GUARDED_RECORDS = 10;
const GUARDED_SHARE = 0.3;

type GuardedZone = Pick<Zone, 'recordCount'>;

/** Whether changes remove more than 30% of the records of a zone with at least 10. */
export function removesMany({ recordCount }: GuardedZone, changes: readonly RecordChange[]) {
  return recordCount >= GUARDED_RECORDS && countRemoved(changes) > recordCount * GUARDED_SHARE;
}

/** Whether changes that replace all records remove many of them, or the last one. */
export function removesManyOrAll(zone: GuardedZone, changes: readonly RecordChange[]) {
  const removed = countRemoved(changes);
  return removesMany(zone, changes) || (removed > 0 && removed >= zone.recordCount);
}

/** The problem of a request that removes many records without `"confirm": true`: more often a mistake than intended. */
export function confirmationProblem(zone: GuardedZone, changes: readonly RecordChange[]): Problem {
  return {
    path: 'confirm',
    validator: 'confirm',
    message: `this would remove ${countRemoved(changes)} of the domain's ${zone.recordCount} records; send "confirm": true if that is meant.`,
  };
}

function countRemoved(changes: readonly RecordChange[]): number {
  return changes
    .map(served)
    .filter(({ before, after }) => before !== undefined && after === undefined).length;
}
