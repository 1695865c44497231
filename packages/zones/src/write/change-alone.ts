import { isUuid } from '@zonewright/service-kit';
import type { RecordChange, Violation } from '../checks/record-change.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { lockZoneForRecords } from '../rows/get-zone.js';
import { getZoneApex } from '../rows/nameserver-store.js';
import { findRecord, listRecordsNamed } from '../rows/record-store.js';
import type { ZoneRecord } from '../rows/record.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { checkChanges } from './check-changes.js';
import { writeChanges } from './commit/write-changes.js';
import { ZoneView } from './zone-view.js';

/** State of a zone that a change is planned on. */
export interface PlanState {
  readonly zone: LockedZone;
  readonly work: UnitOfWork;
  /** Record of the change's `recordId`; undefined if there is none. */
  readonly record: ZoneRecord | undefined;
  /** Reads the served records at the names of the change. */
  readonly readView: () => ZoneView | Promise<ZoneView>;
}

/** A change of records of one zone. It is planned again for each attempt, and may be planned together with others. */
export interface ZoneChange {
  /** All names that the plan reads or changes, except that of `recordId`. */
  readonly names: readonly string[];
  readonly recordId?: string | undefined;
  /** @throws UpdateFault, ServiceError */
  readonly plan: (state: PlanState) => readonly RecordChange[] | Promise<readonly RecordChange[]>;
  /** Says where in the request a violation is; undefined: its path does. */
  readonly placeViolation?: ((violation: Violation) => Violation) | undefined;
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
  { names, recordId, plan, placeViolation }: ZoneChange,
): Promise<{ readonly before: Zone; readonly after: Zone }> {
  const { trx } = work;
  const zone = await lockZoneForRecords(work, zoneId);
  const isId = recordId !== undefined && isUuid(recordId);
  const record = isId ? await findRecord(trx, zone.id, recordId) : undefined;
  const readView = async () =>
    new ZoneView(
      zone,
      await listRecordsNamed(trx, zone.id, names),
      await getZoneApex(trx, zone.id),
    );
  const changes = await plan({ zone, work, record, readView });
  const judged = await checkChanges(work, zone, changes, { placeViolation });
  return { before: zone, after: await writeChanges(work, zone, judged) };
}
