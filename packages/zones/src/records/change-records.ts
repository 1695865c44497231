import type { LockedZone } from '../rows/zone.js';
import { requireMatch } from '../request/rules.js';
import { type SupportedRecords, requireVisible, type ViewedZone } from './get-record.js';
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

/** Gives a record the content that `decide` makes of it: what is the same changes nothing. @throws ServiceError */
export function planRecordUpdate(
  viewed: ViewedZone<LockedZone>,
  found: ZoneRecord | undefined,
  target: RecordTarget,
  decide: (record: ZoneRecord) => RecordContent,
): PlannedChange {
  const before = requireVisible(found, viewed, target);
  requireMatch(target.ifMatch, recordEtag(before));
  const content = decide(before);
  if (isSameContent(before, content)) return { changes: [], record: before };
  const change = modification(viewed.zone, before, content);
  return { changes: [change], record: change.after };
}

/** @throws ServiceError */
export function planRecordDelete(
  viewed: ViewedZone<LockedZone>,
  found: ZoneRecord | undefined,
  target: RecordTarget,
): RecordChange {
  const before = requireVisible(found, viewed, target);
  requireMatch(target.ifMatch, recordEtag(before));
  return { before, after: undefined };
}
