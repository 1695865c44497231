import type { LockedZone, Zone } from '../rows/zone.js';
import { requireMatch } from '../request/precondition.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { type KnownRecords, lookUpRecord, requireVisible, type ViewedZone } from './get-record.js';
import { isSameContent, type RecordContent, recordEtag, type ZoneRecord } from '../rows/record.js';
import { creation, modification, type RecordChange } from '../write/changes/record-change.js';
import { checkChanges } from '../write/check-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';

/** Which record, and in which state the client saw it. */
export interface RecordTarget extends KnownRecords {
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** A record and its zone, both as they are after a change. */
interface Changed {
  readonly record: ZoneRecord;
  readonly zone: Zone;
}

/** @throws ServiceError `invalid`, `conflict` or `over-quota`. */
export async function createRecord(
  work: UnitOfWork,
  zone: LockedZone,
  content: RecordContent,
): Promise<Changed> {
  const change = creation(zone, content);
  return { record: change.after, zone: await applyChange(work, zone, change) };
}

/** What a change of one record comes to, and the record as it is then. */
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

/** As planRecordUpdate has it. What changes nothing leaves the serial alone. */
export async function updateRecord(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordTarget,
  decide: (record: ZoneRecord) => RecordContent,
): Promise<Changed> {
  const found = await lookUpRecord(work.trx, zone, target.id);
  const viewed = { viewer: work.caller, zone };
  const { changes, record } = planRecordUpdate(viewed, found, target, decide);
  const [change] = changes;
  return { record, zone: change === undefined ? zone : await applyChange(work, zone, change) };
}

export async function deleteRecord(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordTarget,
): Promise<Zone> {
  const found = await lookUpRecord(work.trx, zone, target.id);
  const change = planRecordDelete({ viewer: work.caller, zone }, found, target);
  return await applyChange(work, zone, change);
}

async function applyChange(
  work: UnitOfWork,
  zone: LockedZone,
  change: RecordChange,
): Promise<Zone> {
  return await writeChanges(work, zone, await checkChanges(work, zone, [change]));
}
