import { ancestorsOf } from '@zonewright/dns-records';
import {
  forEachInSlices,
  invalidRequest,
  type Problem,
  ServiceError,
} from '@zonewright/service-kit';
import { requireMayChange, requireMayConfirm } from '../rows/key-rules.js';
import { countRecordsets, sumDataOctets } from '../rows/record-store.js';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import {
  type JudgedChanges,
  type RecordChange,
  refuseViolations,
  served,
  type Violation,
} from '../checks/record-change.js';
import { checkAlias, checkDuplicate, checkRrsetSize, leavesMixedTtls } from '../checks/rrset.js';
import {
  checkChildZone,
  checkDelegation,
  endedDelegations,
  possibleChildZones,
  removeOrphanedDs,
} from '../checks/delegation.js';
import {
  checkContent,
  confirmationProblem,
  removesMany,
  removesManyOrAll,
  requireOwnRecords,
} from '../checks/guard.js';
import { checkDname, findOccluded, newDnames } from '../checks/dname.js';
import {
  type FutureNames,
  type RuleFacts,
  servedNames,
  toFutureNames,
} from '../checks/future-names.js';
import { checkMailTarget, namesThatAnswer, newMailTargets } from '../checks/mail-target.js';
import { POLICIES } from '../checks/policy.js';
import { findExceededQuota, limitsOf, needsDataOctets, needsRecordsets } from '../checks/quota.js';
import { readMailHosts } from './mail-hosts.js';
import { readFrom, type ZoneReader } from './neighbour-store.js';

/** The rules among records, in the order in which their violations are reported. */
const RULES: readonly ((facts: RuleFacts, change: RecordChange) => Violation[])[] = [
  checkAlias,
  checkDname,
  checkDuplicate,
  checkChildZone,
  checkDelegation,
  checkRrsetSize,
  checkMailTarget,
];

/** Confirmation of a request that removes many records. */
export interface Confirmation {
  readonly confirm: boolean;
  /** True if the changes replace all records of the zone. */
  readonly isReplacement?: boolean;
}

export interface CheckOptions {
  /** If undefined, the checks read the database. */
  readonly reader?: ZoneReader | undefined;
  /** Undefined if the request names each record that it removes, because it then needs no confirmation. */
  readonly confirmation?: Confirmation | undefined;
  /** Adds the position in the request to a violation. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
}

/**
 * Checks changes from every source in the same order: ownership of the records, content, the key's rights, rules among
 * records, quotas, confirmation. The first stage that finds a problem ends the check and reports all problems that it
 * finds.
 *
 * @returns the changes, with those that follow from them
 * @throws ServiceError
 */
export async function checkChanges(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  options: CheckOptions = {},
): Promise<JudgedChanges> {
  const { placeViolation = (violation) => violation } = options;
  await requireWritable(work, zone, changes);
  const { future, violations } = await checkRules(work, zone, changes, options);
  refuseViolations(violations.map(placeViolation));
  const { judged, unconfirmed } = await checkLimits(work, zone, { changes, future }, options);
  if (unconfirmed.length > 0) throw invalidRequest(unconfirmed);
  return judged;
}

/**
 * Checks ownership, content and the key's rights, before any error can reveal other records. @throws ServiceError
 * `forbidden` or `invalid`
 */
export async function requireWritable(
  { source, caller }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<void> {
  const policy = POLICIES[source];
  if (!policy.mayWriteSecondary) requireOwnRecords(zone, changes);
  if (policy.checksContent) {
    const violations: Violation[] = [];
    await forEachInSlices(changes, (change) => violations.push(...checkContent(zone, change)));
    refuseViolations(violations);
  }
  if (policy.isOfUser) requireMayChange(caller, zone, changes);
}

/**
 * Above this number of changes, all child zones are read, because the names of the changes have up to 127 parent names.
 */
const FEW_CHANGES = 50;

/** Checks the zone as it would be after all changes together. */
export async function checkRules(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  { reader = readFrom(work.trx, zone) }: Pick<CheckOptions, 'reader'> = {},
): Promise<{ readonly future: FutureNames; readonly violations: readonly Violation[] }> {
  const written = changes.filter((change) => served(change).after !== undefined);
  if (!POLICIES[work.source].isOfUser || written.length === 0) {
    return { future: new Map(), violations: [] };
  }
  const mxTargetCheck = zone.mxTargetCheck ?? work.rules.mxTargetCheck;
  const targets = newMailTargets(written, mxTargetCheck);
  const owners = newDnames(written);
  const areMany = written.length > FEW_CHANGES;
  const names = servedNames(written);
  const { records, childZones } = await reader.neighbours({
    recordNames: [...names, ...targets.flatMap(namesThatAnswer)],
    dnameNames: areMany ? undefined : [...names, ...targets].flatMap(ancestorsOf),
    zoneNames: areMany || owners.length > 0 ? undefined : possibleChildZones(zone, written),
  });
  const below = owners.length === 0 ? [] : await reader.recordsBelow(owners, changes.length + 1);
  const dnames = await findOccluded(changes, below, childZones.keys());
  const future = await toFutureNames(changes, records);
  work.hints.mixedTtl = await leavesMixedTtls(zone, changes, records);
  const mailHosts = await readMailHosts(work, zone, targets, future);
  const { warnsOfMailTargets } = POLICIES[work.source];
  const facts: RuleFacts = {
    ...{ zone, future, childZones, dnames, mailHosts, mxTargetCheck, warnsOfMailTargets },
  };
  const byRule = RULES.map((): Violation[] => []);
  await forEachInSlices(written, (change) => {
    for (const [at, rule] of RULES.entries()) byRule[at]?.push(...rule(facts, change));
  });
  return { future, violations: byRule.flat() };
}

/**
 * Checks quotas and the confirmation of changes that comply with the rules.
 *
 * @returns in `unconfirmed` the reasons why the request must be confirmed; empty if it is confirmed or needs no
 * confirmation
 * @throws ServiceError `over-quota`, or `forbidden` if the key may not confirm
 */
export async function checkLimits(
  work: UnitOfWork,
  zone: LockedZone,
  { changes, future }: { readonly changes: readonly RecordChange[]; readonly future: FutureNames },
  { reader = readFrom(work.trx, zone), confirmation }: CheckOptions = {},
): Promise<{ readonly judged: JudgedChanges; readonly unconfirmed: readonly Problem[] }> {
  const { isOfUser, removesOrphanedDs } = POLICIES[work.source];
  const ended = removesOrphanedDs ? endedDelegations(changes) : [];
  const orphans =
    ended.length === 0 ? [] : removeOrphanedDs(changes, await reader.recordsAt(ended));
  const judged = [...changes, ...orphans] as unknown as JudgedChanges;
  if (!isOfUser) return { judged, unconfirmed: [] };
  await requireQuota(work, zone, judged, future);
  return { judged, unconfirmed: checkConfirmation(work, zone, judged, confirmation) };
}

async function requireQuota(
  { trx, rules }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  future: FutureNames,
): Promise<void> {
  const limits = limitsOf(zone, rules);
  const dataOctets = needsDataOctets(changes) ? await sumDataOctets(trx, zone.id) : undefined;
  const recordsets = needsRecordsets(zone, changes, limits)
    ? await countRecordsets(trx, zone.id, changes.map(served))
    : undefined;
  const exceeded = findExceededQuota(zone, changes, { limits, dataOctets, recordsets, future });
  if (exceeded !== undefined) throw new ServiceError('over-quota', exceeded);
}

function checkConfirmation(
  { caller }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  confirmation: Confirmation | undefined,
): readonly Problem[] {
  const isMuch = confirmation?.isReplacement === true ? removesManyOrAll : removesMany;
  if (!isMuch(zone, changes)) return [];
  if (confirmation?.confirm === false) return [confirmationProblem(zone, changes)];
  requireMayConfirm(caller);
  return [];
}
