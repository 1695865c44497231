import { invalidRequest, type ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import {
  isWarning,
  type JudgedChanges,
  NO_CHANGES,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { checkLimits, type CheckOptions, checkRules, requireWritable } from './check-changes.js';
import type { FutureNames } from '../checks/future-names.js';

/** Changes that comply with the rules together, and the reasons why the others do not. */
export interface Separation {
  readonly changes: readonly RecordChange[];
  /** The names after the changes. */
  readonly future: FutureNames;
  readonly violations: readonly Violation[];
  /** Warnings about the changes. */
  readonly warnings: readonly Violation[];
}

/**
 * The maximum number of steps: each one checks all remaining changes, and a chain of moves could need a thousand steps.
 */
const MAX_STEPS = 20;

/**
 * Removes the changes that violate a rule, then those that violate one because the first are gone, until the remaining
 * ones comply.
 *
 * @throws ServiceError `forbidden`, or `invalid` if too many steps are needed
 */
async function separateViolations(
  work: UnitOfWork,
  zone: LockedZone,
  all: readonly RecordChange[],
  options: Pick<CheckOptions, 'reader'>,
): Promise<Separation> {
  await requireWritable(work, zone, all);
  const violations: Violation[] = [];
  let changes = all;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const found = await checkRules(work, zone, changes, options);
    const warnings = found.violations.filter(isWarning);
    const errors = found.violations.filter((each) => !isWarning(each));
    if (errors.length === 0) return { changes, future: found.future, violations, warnings };
    violations.push(...errors);
    const refused = new Set(errors.map(({ change }) => change));
    changes = changes.filter((change) => !refused.has(change));
  }
  const message = `More than ${MAX_STEPS} changes are refused because of previous ones; send them separately.`;
  throw invalidRequest([{ path: '', validator: 'chain', message }]);
}

/** The result of checkEach: the changes that are made, and the reasons why others are not. */
export interface Separated {
  readonly separation: Separation;
  /** Empty if the request is refused. */
  readonly judged: JudgedChanges;
  /** The reason why nothing would be done. It is thrown unless this is a dry run. */
  readonly refusal: ServiceError | undefined;
}

/**
 * Checks changes for a request whose response reports each change separately. A dry run is never refused, because it
 * must show all results.
 *
 * @param refuse returns an error if nothing may be done because some changes violate rules, or undefined to make the
 * others
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
  // If the request is refused, its changes must not be counted.
  const { judged, unconfirmed } =
    refused === undefined
      ? await checkLimits(work, zone, separation, options)
      : { judged: NO_CHANGES, unconfirmed: [] };
  const refusal = refused ?? (unconfirmed.length > 0 ? invalidRequest(unconfirmed) : undefined);
  if (refusal !== undefined && !work.isDryRun) throw refusal;
  return { separation, judged: refusal === undefined ? judged : NO_CHANGES, refusal };
}
