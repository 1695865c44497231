import { isUuid, ServiceError } from '@zonewright/service-kit';
import { claimZoneName } from '../domains/claim-name.js';
import { requireNoChildBelowDname } from '../domains/check-dname-family.js';
import { announceChildren, announceChild } from '../domains/announce-child.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import { toZoneImage } from '../rows/images.js';
import { commitZone } from '../write/commit/zone-step.js';
import { signAgain, signParent } from '../write/commit/service-step.js';
import { findHighestSerial, findZone, findTombstone } from '../rows/zone-store.js';
import { requireMatch } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';

/**
 * Restores a deleted zone with its records within DNS_API_UNDELETE_DAYS. Its name must not be taken.
 *
 * @throws ServiceError `not-found`, `invalid` (it is not deleted), or as claimZoneName does
 */
export async function undeleteZone(work: UnitOfWork, { id, ifMatch }: ZoneTarget): Promise<Zone> {
  const { trx, caller, rules } = work;
  const tombstone = isUuid(id)
    ? await findTombstone(trx, {
        tenantId: caller.tenantId,
        id,
        days: rules.undeleteDays,
        lock: true,
      })
    : undefined;
  if (tombstone === undefined) throw await notUndeletable(work, id);
  requireMatch(ifMatch, zoneEtag(tombstone));
  await claimZoneName(work, tombstone.name);
  await commitZone(work, tombstone, tombstone, {
    entries: [{ action: 'domain-undelete', after: toZoneImage(tombstone) }],
    ...{ touched: undefined, life: 'begins' },
    exceeded: await findHighestSerial(trx, tombstone.name),
  });
  const zone = await getZoneForChange(trx, caller, tombstone.id);
  if (zone.secondary === undefined) await requireNoChildBelowDname(trx, zone);
  await signAgain(work, zone, tombstone.serial);
  if (zone.secondary !== undefined) {
    await signParent(work, zone.name);
    return zone;
  }
  await announceChild(work, zone);
  return (await announceChildren(work, zone)) ?? zone;
}

async function notUndeletable(
  { trx, caller, rules }: UnitOfWork,
  id: string,
): Promise<ServiceError> {
  const living = isUuid(id) ? await findZone(trx, caller, id) : undefined;
  if (living !== undefined) {
    return new ServiceError('invalid', 'The domain is not deleted; there is nothing to restore.');
  }
  return new ServiceError(
    'not-found',
    `No domain with this id was deleted within the last ${rules.undeleteDays} days.`,
    { details: { subject: 'zone' } },
  );
}
