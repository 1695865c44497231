import type { LockedZone } from '../domains/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { RecordChange } from './record-change.js';
import { type Breach, findBreaches } from './record-rules.js';

/** Changes that keep the rules together, and why the others would not. */
export interface Separation {
  readonly kept: readonly RecordChange[];
  readonly breaches: readonly Breach[];
}

/**
 * Takes out the changes that break a rule, and then those that break one because the first are out, until what is
 * left stands.
 */
export async function separateBreaches(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<Separation> {
  const breaches: Breach[] = [];
  let kept = changes;
  for (;;) {
    const found = await findBreaches(work, zone, kept);
    if (found.length === 0) return { kept, breaches };
    breaches.push(...found);
    const refused = new Set(found.map(({ change }) => change));
    kept = kept.filter((change) => !refused.has(change));
  }
}
