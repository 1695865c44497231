import { invalidRequest, type ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import {
  type JudgedChanges,
  NO_CHANGES,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { checkLimits, type CheckOptions, checkRules, requireWritable } from './check-changes.js';
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
async function separateViolations(
  work: UnitOfWork,
  zone: LockedZone,
  all: readonly RecordChange[],
  options: Pick<CheckOptions, 'reader'>,
): Promise<Separation> {
  requireWritable(work, zone, all);
  const violations: Violation[] = [];
  let changes = all;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const found = await checkRules(work, zone, changes, options);
    if (found.violations.length === 0) return { changes, future: found.future, violations };
    violations.push(...found.violations);
    const refused = new Set(found.violations.map(({ change }) => change));
    changes = changes.filter((change) => !refused.has(change));
  }
  const message = `Each of more than ${MAX_STEPS} changes is refused because of the one before; send them apart.`;
  throw invalidRequest([{ path: '', validator: 'chain', message }]);
}

/** Result of checkEach: the changes that are made, and why others are not. */
export interface Separated {
  readonly separation: Separation;
  /** None if it is refused. */
  readonly judged: JudgedChanges;
  /** Why nothing of it would be done. Others than dry runs throw it. */
  readonly refusal: ServiceError | undefined;
}

/**
 * Checks changes for a request that says of each what becomes of it. A dry run is never refused: it is there to show them all.
 *
 * @param refuse why nothing is done, if some changes violate rules; undefined: the others are done
 * @throws ServiceError
 */
export async function checkEach(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  {
    refuse,
    ...options
  }: CheckOptions & { readonly refuse: (separation: Separation) => ServiceError | undefined },
): Promise<Separated> {
  const separation = await separateViolations(work, zone, changes, options);
  const refused = refuse(separation);
  // A change that is refused would count as one that is made.
  const { judged, unconfirmed } =
    refused === undefined
      ? await checkLimits(work, zone, separation, options)
      : { judged: NO_CHANGES, unconfirmed: [] };
  const refusal = refused ?? (unconfirmed.length > 0 ? invalidRequest(unconfirmed) : undefined);
  if (refusal !== undefined && !work.isDryRun) throw refusal;
  return { separation, judged: refusal === undefined ? judged : NO_CHANGES, refusal };
}
