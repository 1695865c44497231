import { UpdateFault, RCODE } from '@zonewright/dns-records';
import type { RecordChange } from '../write/changes/record-change.js';
import { writeChanges } from '../write/commit/write-changes.js';
import { checkChanges } from '../write/check-changes.js';
import { getZoneApex } from '../nameservers/zone-apex-store.js';
import { listRecordsNamed } from '../rows/record-store.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { namesOfUpdate, readSigned, takeUpdate, type Update } from './take-update.js';
import { ZoneView } from '../write/read/zone-view.js';

/** The answer to an update, and the zone as it is then. */
interface UpdateOutcome {
  readonly rcode: number;
  readonly zone: Zone;
}

/**
 * Does a dynamic update (RFC 2136 s3), all of it or nothing: prerequisites first, then a look at all updates, then these in their
 * order. Our own rules are applied to what they come to. What changes nothing leaves the serial alone.
 *
 * @throws ServiceError for what our own rules refuse
 */
export async function applyUpdate(
  work: UnitOfWork,
  zone: LockedZone,
  update: Update,
): Promise<UpdateOutcome> {
  try {
    const changes = await planUpdate(work, zone, update);
    const judged = await checkChanges(work, zone, changes);
    return { rcode: RCODE.NOERROR, zone: await writeChanges(work, zone, judged) };
  } catch (error) {
    if (error instanceof UpdateFault) return { rcode: error.rcode, zone };
    throw error;
  }
}

async function planUpdate(
  { trx }: UnitOfWork,
  zone: LockedZone,
  update: Update,
): Promise<readonly RecordChange[]> {
  const rows = await listRecordsNamed(trx, zone.id, namesOfUpdate(update, zone.name));
  const view = new ZoneView(zone, rows, await getZoneApex(trx, zone.id));
  return await takeUpdate(view, zone, update, await readSigned(trx, zone, update));
}
