import { isUuid } from '@zonewright/service-kit';
import { getZoneApex } from '../nameservers/zone-apex-store.js';
import { findRecord, listRecordsNamed } from '../rows/record-store.js';
import type { Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { checkChanges } from './check-changes.js';
import { writeChanges } from './commit/write-changes.js';
import { lockZoneForRecords } from './read/lock-zone.js';
import { ZoneView } from './read/zone-view.js';
import type { ZoneChange } from './zone-change.js';

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
