import type { Zone } from '../domains/zone.js';
import { invalidRequest } from '../problem.js';
import type { RecordChange } from './record-change.js';

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
  const removed = changes.filter(({ after }) => after === undefined).length;
  if (confirm || zone.recordCount < GUARDED_RECORDS) return;
  if (removed <= zone.recordCount * GUARDED_SHARE) return;
  throw invalidRequest([
    {
      path: 'confirm',
      validator: 'confirm',
      message: `this would remove ${removed} of the domain's ${zone.recordCount} records; send "confirm": true if that is meant.`,
    },
  ]);
}
