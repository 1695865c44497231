import type { LockedZone } from '../rows/zone.js';
import { invalidRequest } from '@zonewright/service-kit';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { RecordChange } from './changes/record-change.js';
import type { Breach } from './checks/violation.js';
import { findBreaches } from './check-changes.js';

/** Changes that keep the rules together, and why the others would not. */
export interface Separation {
  readonly kept: readonly RecordChange[];
  readonly breaches: readonly Breach[];
}

/** Nobody means more; each step judges all that are left, and a chain of moves could have a thousand. */
const MAX_STEPS = 20;

/**
 * Takes out the changes that break a rule, and then those that break one because the first are out, until what is
 * left stands.
 *
 * @throws ServiceError `invalid` when that takes too many steps.
 */
export async function separateBreaches(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<Separation> {
  const breaches: Breach[] = [];
  let kept = changes;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const found = await findBreaches(work, zone, kept);
    if (found.length === 0) return { kept, breaches };
    breaches.push(...found);
    const refused = new Set(found.map(({ change }) => change));
    kept = kept.filter((change) => !refused.has(change));
  }
  const message = `Each of more than ${MAX_STEPS} changes is refused because of the one before; send them apart.`;
  throw invalidRequest([{ path: '', validator: 'chain', message }]);
}
