import { requireMatch } from '../request/rules.js';
import type { PlanState } from '../write/change-alone.js';
import { type SupportedRecords, requireVisible } from './get-record.js';
import { isSameContent, type RecordContent, recordEtag, type ZoneRecord } from '../rows/record.js';
import { modification, type RecordChange } from '../checks/record-change.js';

/** Record to change, and the version that the client saw. */
export interface RecordTarget extends SupportedRecords {
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** Changes that result from a request for one record, and the record after them. */
interface PlannedChange {
  readonly changes: readonly RecordChange[];
  readonly record: ZoneRecord;
}

/**
 * Plans the change of a record's content as decided by `decide`. Equal content is not a change. @throws ServiceError
 */
export function planRecordUpdate(
  state: PlanState,
  target: RecordTarget,
  decide: (record: ZoneRecord) => RecordContent,
): PlannedChange {
  const before = findMatching(state, target);
  const content = decide(before);
  if (isSameContent(before, content)) return { changes: [], record: before };
  const change = modification(state.zone, before, content);
  return { changes: [change], record: change.after };
}

/** @throws ServiceError */
export function planRecordDelete(state: PlanState, target: RecordTarget): RecordChange {
  return { before: findMatching(state, target), after: undefined };
}

function findMatching({ work, zone, find }: PlanState, target: RecordTarget): ZoneRecord {
  const record = requireVisible(find(target.id), { viewer: work.caller, zone }, target);
  requireMatch(target.ifMatch, recordEtag(record));
  return record;
}
