import { ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../../rows/zone.js';
import type { RecordChange } from '../changes/record-change.js';

/** Refuses changes of records that come from primaries. @throws ServiceError `forbidden` */
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
