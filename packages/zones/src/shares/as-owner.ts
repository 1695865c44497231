import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Caller } from '../request/caller.js';
import { findSharingTenant } from '../rows/share-store.js';

/**
 * Performs an operation on a zone that another tenant may share: as the caller, or, if the caller has no such zone, as the
 * owner. The quotas and rules of the owner then apply. The journal names the user in both cases. Owners need no further query.
 *
 * @param perform must throw `not-found`, before any other effect, for a zone of another tenant
 */
export async function asOwner<T>(
  db: Database,
  caller: Caller,
  zoneId: string,
  perform: (caller: Caller) => Promise<T>,
): Promise<T> {
  try {
    return await perform(caller);
  } catch (error) {
    if (!isZoneMissing(error) || !isUuid(zoneId)) throw error;
    const owner = await findSharingTenant(db, caller.tenantId, zoneId);
    if (owner === undefined) throw error;
    return await perform({ ...caller, tenantId: owner, isGuest: true });
  }
}

function isZoneMissing(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.kind !== 'not-found') return false;
  return (error.details as { subject?: string } | undefined)?.subject === 'zone';
}
