import { isUuid } from '@zonewright/service-kit';
import type { RecordChange, Violation } from '../checks/record-change.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { lockZoneForRecords, zoneNotFound } from '../rows/get-zone.js';
import type { ZoneRecord } from '../rows/record.js';
import type { RecordsetKey } from '../rows/recordset.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { checkChanges } from './check-changes.js';
import { writeChanges } from './commit/write-changes.js';
import { readReadSet } from './update-ground-store.js';
import { ZoneSnapshot } from './zone-ground.js';
import type { ZoneView } from './zone-view.js';

/** State of a zone that a change is planned on. */
export interface PlanState {
  readonly zone: LockedZone;
  readonly work: UnitOfWork;
  /** Record of the change's `recordId`; undefined if there is none. */
  readonly record: ZoneRecord | undefined;
  /** Recordset of the change's `recordsetId`; undefined if there is none. */
  readonly recordset: RecordsetKey | undefined;
  /** Returns the served records at the names of the change. */
  readonly view: () => ZoneView;
}

/** A change of records of one zone. It is planned again for each attempt, and may be planned together with others. */
export interface ZoneChange {
  /** All names that the plan reads or changes, except those of `recordId` and `recordsetId`. */
  readonly names: readonly string[];
  readonly recordId?: string | undefined;
  readonly recordsetId?: string | undefined;
  /** @throws UpdateFault, ServiceError */
  readonly plan: (state: PlanState) => readonly RecordChange[] | Promise<readonly RecordChange[]>;
  /** Says where in the request a violation is; undefined: its path does. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
}

/** Plans a change on what was read of its zone. @throws UpdateFault, ServiceError */
export async function planChange(
  work: UnitOfWork,
  zone: LockedZone,
  snapshot: ZoneSnapshot,
  { names, recordId, recordsetId, plan }: ZoneChange,
): Promise<readonly RecordChange[]> {
  const record = snapshot.find(recordId);
  const recordset = snapshot.findRecordset(recordsetId);
  const all = [...names, ...[record, recordset].flatMap((target) => target?.name ?? [])];
  const view = () => snapshot.view(zone, all);
  return await plan({ zone, work, record, recordset, view });
}

/**
 * Does a change in a transaction that holds its zone: whatever the change needs can be read, and however much it writes.
 *
 * @returns the zone before and after it
 * @throws ServiceError, UpdateFault
 */
export async function changeAlone(
  work: UnitOfWork,
  zoneId: string,
  change: ZoneChange,
): Promise<{ readonly before: Zone; readonly after: Zone }> {
  const { id, tenantId } = await lockZoneForRecords(work, zoneId);
  const { names, recordId, recordsetId, placeViolation } = change;
  const idsOf = (ofTarget = '') => (isUuid(ofTarget) ? [ofTarget] : []);
  const targets = { recordIds: idsOf(recordId), recordsetIds: idsOf(recordsetId) };
  const wanted = { zoneId: id, tenantId, names, ...targets, payerId: tenantId, keys: [] };
  const ground = await readReadSet(work.trx, wanted, true);
  if (ground === undefined) throw zoneNotFound();
  const { zone } = ground;
  const snapshot = new ZoneSnapshot(ground);
  const changes = await planChange(work, zone, snapshot, change);
  const reader = changes.every((each) => snapshot.covers(each)) ? snapshot : undefined;
  const judged = await checkChanges(work, zone, changes, { reader, placeViolation });
  return { before: zone, after: await writeChanges(work, zone, judged) };
}
