import { checkRecord } from '@zonewright/dns-records';
import { type Problem, ServiceError } from '@zonewright/service-kit';
import type { LockedZone, Zone } from '../rows/zone.js';
import { type RecordChange, served, type Violation } from './record-change.js';

/** Minimum number of records in a guarded zone. */
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

/**
 * Returns the problem of a request that removes many records without `"confirm": true`. Such a request is usually a
 * mistake.
 */
export function confirmationProblem(zone: GuardedZone, changes: readonly RecordChange[]): Problem {
  return {
    path: 'confirm',
    validator: 'confirm',
    message: `This would remove ${countRemoved(changes)} of the domain's ${zone.recordCount} records; send "confirm": true if this is intended.`,
  };
}

function countRemoved(changes: readonly RecordChange[]): number {
  return changes
    .map(served)
    .filter(({ before, after }) => before !== undefined && after === undefined).length;
}

/** Rejects changes of records that come from primaries. @throws ServiceError `forbidden` */
export function requireOwnRecords(
  { name, secondary }: Pick<LockedZone, 'name' | 'secondary'>,
  changes: readonly RecordChange[],
): void {
  if (secondary === undefined || changes.length === 0) return;
  throw new ServiceError(
    'forbidden',
    `The records of ${JSON.stringify(name)} come from its primaries; change them there, or delete the primaries here.`,
  );
}

/**
 * Rejects a row that no request could write, such as an SOA record of a former primary. An unchanged name is not
 * checked.
 */
export function checkContent({ name }: Pick<Zone, 'name'>, change: RecordChange): Violation[] {
  const { before, after } = change;
  if (after === undefined) return [];
  const staysInPlace = before?.name === after.name && before.type === after.type;
  return checkRecord(after, name)
    .filter(({ path }) => !staysInPlace || path !== 'name')
    .map((problem) => ({ change, kind: 'invalid', problem }));
}
