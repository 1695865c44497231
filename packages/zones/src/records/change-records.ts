import type { KnownTypes } from '@zonewright/dns-records';
import type { LockedZone, Zone } from '../rows/zone.js';
import { requireMayChange } from '../access/key-rules.js';
import { requireMatch } from '../request/precondition.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { getRecord } from './get-record.js';
import { isSameContent, type RecordContent, recordEtag, type ZoneRecord } from '../rows/record.js';
import { creation, modification, type RecordChange } from '../changes/record-change.js';
import { findBreaches, refuseBreaches, requireRecordQuota } from './record-rules.js';
import { writeChanges } from '../changes/write-changes.js';

/** Which record, and in which state the client saw it. */
export interface RecordTarget {
  readonly id: string;
  /** The types that the client knows. */
  readonly known: KnownTypes;
  /** Whether it knows that records can be switched off, and may be told of those. */
  readonly knowsFlags: boolean;
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

/** Gives a record the content that `decide` makes of it. What changes nothing leaves the serial alone. */
export async function updateRecord(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordTarget,
  decide: (record: ZoneRecord) => RecordContent,
): Promise<Changed> {
  const before = await getRecord(work.trx, { viewer: work.caller, zone }, target);
  requireMatch(target.ifMatch, recordEtag(before));
  const content = decide(before);
  if (isSameContent(before, content)) return { record: before, zone };
  const change = modification(zone, before, content);
  return { record: change.after, zone: await applyChange(work, zone, change) };
}

export async function deleteRecord(
  work: UnitOfWork,
  zone: LockedZone,
  target: RecordTarget,
): Promise<Zone> {
  const before = await getRecord(work.trx, { viewer: work.caller, zone }, target);
  requireMatch(target.ifMatch, recordEtag(before));
  return await writeChanges(work, zone, [{ before, after: undefined }]);
}

async function applyChange(
  work: UnitOfWork,
  zone: LockedZone,
  change: RecordChange,
): Promise<Zone> {
  // Before the rules, whose answers tell what else is there.
  requireMayChange(work.caller, zone, [change]);
  refuseBreaches(await findBreaches(work, zone, [change]));
  await requireRecordQuota(work, zone, [change]);
  return await writeChanges(work, zone, [change]);
}
