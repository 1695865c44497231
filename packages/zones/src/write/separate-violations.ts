import { invalidRequest } from '@zonewright/service-kit';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import type { RecordChange, Violation } from '../checks/record-change.js';
import { checkRules, requireWritable } from './check-changes.js';
import type { FutureNames } from '../checks/future-names.js';

/** Changes that keep the rules together, and why the others do not. */
export interface Separation {
  readonly changes: readonly RecordChange[];
  /** Names as the changes leave them. */
  readonly future: FutureNames;
  readonly violations: readonly Violation[];
}

/** Each step checks all changes that are left, and a chain of moves could have a thousand steps. */
const MAX_STEPS = 20;

/**
 * Takes out the changes that violate a rule, and then those that violate one because the first are out, until the others keep the
 * rules.
 *
 * @throws ServiceError `forbidden`, or `invalid` if that takes too many steps.
 */
export async function separateViolations(
  work: UnitOfWork,
  zone: LockedZone,
  all: readonly RecordChange[],
): Promise<Separation> {
  requireWritable(work, zone, all);
  const violations: Violation[] = [];
  let changes = all;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const found = await checkRules(work, zone, changes);
    if (found.violations.length === 0) return { changes, future: found.future, violations };
    violations.push(...found.violations);
    const refused = new Set(found.violations.map(({ change }) => change));
    changes = changes.filter((change) => !refused.has(change));
  }
  const message = `Each of more than ${MAX_STEPS} changes is refused because of the one before; send them apart.`;
  throw invalidRequest([{ path: '', validator: 'chain', message }]);
}
