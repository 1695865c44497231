import { getZoneForChange } from '../../rows/get-zone.js';
import { lockZoneAsItIs } from '../../rows/zone-store.js';
import type { LockedZone } from '../../rows/zone.js';
import type { UnitOfWork } from '../../transactions/unit-of-work.js';

/**
 * Locks a zone for changes of its records, and the zones with mail targets that an earlier attempt did not get (`readMailHosts`).
 * All are locked by id, so two transactions never wait for each other.
 */
export async function lockZoneForRecords(work: UnitOfWork, zoneId: string): Promise<LockedZone> {
  const { trx, caller, zonesToKeep } = work;
  const hosts = [...zonesToKeep].filter((id) => id !== zoneId).toSorted();
  for (const id of hosts) if (id < zoneId) await lockZoneAsItIs(trx, id);
  const zone = await getZoneForChange(trx, caller, zoneId);
  for (const id of hosts) if (id > zoneId) await lockZoneAsItIs(trx, id);
  return zone;
}
