import {
  invalidRequest,
  mapInSlices,
  type Problem,
  problemsOf,
  ServiceError,
} from '@zonewright/service-kit';
import {
  creation,
  modification,
  type RecordChange,
  type Violation,
} from '../checks/record-change.js';
import { mayFind } from '../rows/key-rules.js';
import { isSameContent, type RecordContent, type ZoneRecord } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { Plan, PlanState } from '../write/change-alone.js';
import { checkEach, type Separation } from '../write/separate-violations.js';

/** Item of a batch. Its content is read when the record and its zone are known. */
export type BatchItem =
  | { readonly action: 'create'; readonly read: (zone: Zone) => RecordContent }
  | (StoredRecord & {
      readonly action: 'update';
      readonly read: (zone: Zone, stored: ZoneRecord) => RecordContent;
    })
  | (StoredRecord & { readonly action: 'delete' });

/** Record that an item changes or deletes. */
interface StoredRecord {
  readonly id: string;
  /** Version that the client saw in a list. Undefined means any. */
  readonly ifVersion: number | undefined;
}

export interface Batch {
  readonly items: readonly BatchItem[];
  /** If false, valid items are applied and the others are reported. */
  readonly atomic: boolean;
  /** Whether many records may be removed. */
  readonly confirm: boolean;
}

export interface BatchResult {
  readonly zone: Zone;
  readonly outcomes: readonly ItemOutcome[];
  /** Why the batch would be rejected. Undefined unless it was a dry run. */
  readonly refusal: readonly Problem[] | undefined;
}

interface BatchPlan extends Plan {
  /** Returns the results of the items, after the check. */
  readonly report: () => BatchResult;
}

/**
 * Plans up to ten thousand changes with one serial. They are all applied or none, unless the request says otherwise.
 * The rules are applied to the zone after all changes. A dry run is never rejected for its items, since it shows the
 * result of all.
 *
 * @throws ServiceError with the problems of all items: `invalid`, `conflict` or `precondition-failed`
 */
export async function planBatch(
  { work, zone, find }: PlanState,
  { items, atomic, confirm }: Batch,
): Promise<BatchPlan> {
  const findVisible = (id: string) => {
    const record = find(id.toLowerCase());
    return record !== undefined && mayFind(work.caller, zone, record) ? record : undefined;
  };
  let outcomes: readonly ItemOutcome[] = await mapInSlices(items, (item) =>
    planItem(zone, item, findVisible),
  );
  let problems: readonly Problem[] = [];
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  const refuse = ({ violations }: Separation) => {
    outcomes = withViolations(outcomes, violations);
    return atomic ? findFailures(outcomes) : undefined;
  };
  return {
    changes,
    check: async (reader) => {
      const options = { reader, confirmation: { confirm }, refuse };
      const { judged, refusal } = await checkEach(work, zone, changes, options);
      problems = refusal === undefined ? [] : problemsOf(refusal);
      return judged;
    },
    report: () => ({ zone, outcomes, refusal: work.isDryRun ? problems : undefined }),
  };
}

function findFailures(outcomes: readonly ItemOutcome[]): ServiceError | undefined {
  const failed = outcomes.filter(({ problems }) => problems.length > 0);
  if (failed.length === 0) return undefined;
  const problems = outcomes.flatMap(({ problems: own }, at) =>
    own.map((problem): Problem => ({ ...problem, path: itemPath(at, problem.path) })),
  );
  if (failed.every(({ kind }) => kind === 'conflict')) {
    return new ServiceError('conflict', 'Records of the batch already exist; errors lists them.', {
      details: { subject: 'record', problems },
    });
  }
  if (failed.every(({ kind }) => kind === 'precondition-failed')) {
    const message = 'Records of the batch were changed in the meantime; errors lists them.';
    return new ServiceError('precondition-failed', message, { details: { problems } });
  }
  return invalidRequest(problems);
}

/** Returns the path of an item's problem in the request body. */
export function itemPath(at: number, path: string): string {
  const isOfItem = path === 'id' || path === 'if_version';
  return isOfItem ? `operations[${at}].${path}` : `operations[${at}].record.${path}`;
}

/** Kind of error that the problems of an item cause. */
type RefusalKind = 'invalid' | 'conflict' | 'precondition-failed';

/** Result of one item. */
interface ItemOutcome {
  readonly item: BatchItem;
  /** Undefined if the item is rejected, or changes nothing. */
  readonly change: RecordChange | undefined;
  /** Record after the change. Undefined after a deletion or an error. */
  readonly record: ZoneRecord | undefined;
  /** Reasons for a rejection. */
  readonly problems: readonly Problem[];
  readonly kind: RefusalKind;
}

function withViolations(
  outcomes: readonly ItemOutcome[],
  violations: readonly Violation[],
): readonly ItemOutcome[] {
  const byChange = new Map<RecordChange, Violation[]>();
  for (const violation of violations) {
    const known = byChange.get(violation.change);
    if (known === undefined) byChange.set(violation.change, [violation]);
    else known.push(violation);
  }
  return outcomes.map((outcome): ItemOutcome => {
    const own = outcome.change && byChange.get(outcome.change);
    if (own === undefined) return outcome;
    return {
      item: outcome.item,
      change: undefined,
      record: undefined,
      problems: own.map(({ problem }) => problem),
      kind: own.every(({ kind }) => kind === 'conflict') ? 'conflict' : 'invalid',
    };
  });
}

function planItem(
  zone: LockedZone,
  item: BatchItem,
  find: (id: string) => ZoneRecord | undefined,
): ItemOutcome {
  const done = { item, problems: [], kind: 'invalid' as const };
  try {
    if (item.action === 'create') {
      const change = creation(zone, item.read(zone));
      return { ...done, change, record: change.after };
    }
    const before = requireRecord(find(item.id));
    requireVersion(before, item.ifVersion);
    if (item.action === 'delete') {
      return { ...done, change: { before, after: undefined }, record: undefined };
    }
    const content = item.read(zone, before);
    if (isSameContent(before, content)) return { ...done, change: undefined, record: before };
    const change = modification(zone, before, content);
    return { ...done, change, record: change.after };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const problems = problemsOf(error);
    const kind = error.kind === 'precondition-failed' ? error.kind : 'invalid';
    return { ...done, change: undefined, record: undefined, problems, kind };
  }
}

function requireRecord(record: ZoneRecord | undefined): ZoneRecord {
  if (record !== undefined) return record;
  const message = 'There is no record with this id in this domain.';
  throw new ServiceError('not-found', message, {
    details: { problems: [{ path: 'id', validator: 'exists', message }] },
  });
}

function requireVersion({ version }: ZoneRecord, wanted: number | undefined): void {
  if (wanted === undefined || wanted === version) return;
  const message = `if_version is ${wanted}, but the version is now ${version}: the record was changed in the meantime. Read it again.`;
  throw new ServiceError('precondition-failed', message, {
    details: { problems: [{ path: 'if_version', validator: 'version', message }] },
  });
}
