import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getZoneForChange } from '../rows/get-zone.js';
import { checkChanges } from '../write/check-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { findZonesToExpire, listDueRecords, type ZoneToExpire } from './expiry-store.js';

export type { ZoneToExpire } from './expiry-store.js';

/** Maximum number of records in one change of a zone, which limits how long other writers wait. */
const RECORDS_A_STEP = 500;
const ZONES_AT_ONCE = 100;

/** Some of the zones in which records have come to their end. */
export async function listZonesToExpire(
  db: Database,
  except: readonly string[],
): Promise<readonly ZoneToExpire[]> {
  return await findZonesToExpire(db, { limit: ZONES_AT_ONCE, except });
}

/**
 * Deletes records of a zone whose end has come: a step like any other, in the history with its author, and so undone like any other.
 * Replicas that are at the same zone wait for each other, and the second one finds nothing left. @returns how many
 */
export async function expireRecords(work: UnitOfWork, { id }: ZoneToExpire): Promise<number> {
  try {
    const zone = await getZoneForChange(work.trx, work.caller, id);
    // Its records are its primaries' by now.
    if (zone.secondary !== undefined) return 0;
    const due = await listDueRecords(work.trx, zone.id, RECORDS_A_STEP);
    const changes = due.map((before) => ({ before, after: undefined }));
    await writeChanges(work, zone, await checkChanges(work, zone, changes));
    return due.length;
  } catch (error) {
    // It was deleted, or given to somebody else, meanwhile.
    if (error instanceof ServiceError && error.kind === 'not-found') return 0;
    throw error;
  }
}
