import { mapInSlices, type Problem, problemsOf, ServiceError } from '@zonewright/service-kit';
import { mayFind } from '../access/key-rules.js';
import type { LockedZone } from '../rows/zone.js';
import { creation, modification, type RecordChange } from '../write/changes/record-change.js';
import { listRecordsById } from '../rows/record-store.js';
import { isSameContent, type ZoneRecord } from '../rows/record.js';
import type { Violation } from '../write/checks/violation.js';
import { type Separation, separateViolations } from '../write/separate-violations.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { BatchItem } from './batch.js';

/** Kind of error that the problems of an item cause. */
type RefusalKind = 'invalid' | 'conflict' | 'precondition-failed';

/** Result of one item. */
export interface ItemOutcome {
  readonly item: BatchItem;
  /** Undefined: refused, or there is nothing to change. */
  readonly change: RecordChange | undefined;
  /** The record as it will be; undefined after a delete or a refusal. */
  readonly record: ZoneRecord | undefined;
  /** Why it is refused. */
  readonly problems: readonly Problem[];
  readonly kind: RefusalKind;
}

/** Items and the changes of those that are not refused. */
interface BatchPlan extends Pick<Separation, 'changes' | 'future'> {
  readonly outcomes: readonly ItemOutcome[];
}

/** Says what each item would do, seen together: the rules are applied to the zone as all of them would leave it. */
export async function planBatch(
  work: UnitOfWork,
  zone: LockedZone,
  items: readonly BatchItem[],
): Promise<BatchPlan> {
  const ids = items.flatMap((item) => ('id' in item ? [item.id] : []));
  const found = await listRecordsById(work.trx, zone.id, ids);
  const stored = new Map(
    found
      .filter((record) => mayFind(work.caller, zone, record))
      .map((record) => [record.id, record]),
  );
  const outcomes = await mapInSlices(items, (item) => planItem(zone, item, stored));
  const changes = outcomes.flatMap(({ change }) => change ?? []);
  const separation = await separateViolations(work, zone, changes);
  const byChange = new Map<RecordChange, Violation[]>();
  for (const violation of separation.violations) {
    const known = byChange.get(violation.change);
    if (known === undefined) byChange.set(violation.change, [violation]);
    else known.push(violation);
  }
  const judged = outcomes.map((outcome): ItemOutcome => {
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
  return { ...separation, outcomes: judged };
}

function planItem(
  zone: LockedZone,
  item: BatchItem,
  stored: ReadonlyMap<string, ZoneRecord>,
): ItemOutcome {
  const done = { item, problems: [], kind: 'invalid' as const };
  try {
    if (item.action === 'create') {
      const change = creation(zone, item.read(zone));
      return { ...done, change, record: change.after };
    }
    const before = requireRecord(stored.get(item.id.toLowerCase()));
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
  const message = 'there is no record with this id in this domain.';
  throw new ServiceError('not-found', message, {
    details: { problems: [{ path: 'id', validator: 'exists', message }] },
  });
}

function requireVersion({ version }: ZoneRecord, wanted: number | undefined): void {
  if (wanted === undefined || wanted === version) return;
  const message = `if_version is ${wanted}, but the version is now ${version}: the record was changed meanwhile. Read it again.`;
  throw new ServiceError('precondition-failed', message, {
    details: { problems: [{ path: 'if_version', validator: 'version', message }] },
  });
}
