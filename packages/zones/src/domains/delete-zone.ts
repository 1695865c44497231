import { ServiceError } from '@zonewright/service-kit';
import { requireMatch } from '../request/precondition.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { deleteTransferRequestsOf } from '../rows/transfer-store.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { toZoneImage } from '../journal/zone-image.js';
import { recordZoneChange, serialAfter } from '../write/commit/zone-step.js';
import { signParent } from '../write/commit/service-step.js';
import { findZoneBelow } from '../rows/zone-store.js';
import { markZoneDeleted } from '../write/commit/zone-rows.js';

/**
 * Deletes a zone with its records: gone for every reader, kept as a tombstone that undelete can bring back. Returns the
 * tombstone's serial.
 */
export async function deleteZone(work: UnitOfWork, target: ZoneTarget): Promise<number> {
  const zone = await getZoneForChange(work.trx, work.caller, target.id);
  requireMatch(target.ifMatch, zoneEtag(zone));
  const child = await findZoneBelow(work.trx, zone.name);
  if (child !== undefined) {
    throw new ServiceError(
      'invalid',
      `The domain has the child domain ${JSON.stringify(child)}; delete its children first.`,
    );
  }
  // A zone that is brought back is not given away by an offer of before.
  await deleteTransferRequestsOf(work.trx, [zone.id]);
  const serial = serialAfter(work, zone.serial);
  await markZoneDeleted(work.trx, zone.id, serial);
  await recordZoneChange(
    work,
    { zoneId: zone.id, serialBefore: zone.serial, serialAfter: serial },
    [{ action: 'domain-delete', before: toZoneImage(zone) }],
  );
  await signParent(work, zone.name);
  return serial;
}
