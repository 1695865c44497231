import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Viewer } from '../request/caller.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { findZone, findZoneForChange, lockZoneAsItIs } from './zone-store.js';
import type { LockedZone, Zone } from './zone.js';

/**
 * Returns the error for an id that is not a UUID, or belongs to another tenant (D-ZONE-12), so that nobody learns which
 * zones exist.
 */
export function zoneNotFound(): ServiceError {
  return new ServiceError('not-found', 'There is no domain with this id.', {
    details: { subject: 'zone' },
  });
}

/** @throws ServiceError `not-found` */
export async function getZone(db: Database, viewer: Viewer, id: string): Promise<Zone> {
  const zone = isUuid(id) ? await findZone(db, viewer, id) : undefined;
  if (zone === undefined) throw zoneNotFound();
  return zone;
}

/** Returns the zone, locked until the transaction ends. @throws ServiceError `not-found` */
export async function getZoneForChange(
  trx: Database,
  viewer: Viewer,
  id: string,
): Promise<LockedZone> {
  const zone = isUuid(id) ? await findZoneForChange(trx, viewer, id) : undefined;
  if (zone === undefined) throw zoneNotFound();
  return zone;
}

/**
 * Locks a zone for changes of its records, and the zones with mail targets that an earlier attempt did not get
 * (`readMailHosts`). All are locked by id, so two transactions never wait for each other.
 */
export async function lockZoneForRecords(work: UnitOfWork, zoneId: string): Promise<LockedZone> {
  const { trx, caller, zonesToKeep } = work;
  const hosts = [...zonesToKeep].filter((id) => id !== zoneId).toSorted();
  for (const id of hosts) if (id < zoneId) await lockZoneAsItIs(trx, id);
  const zone = await getZoneForChange(trx, caller, zoneId);
  for (const id of hosts) if (id > zoneId) await lockZoneAsItIs(trx, id);
  return zone;
}
