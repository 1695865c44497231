import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Caller } from '../request/caller.js';
import { findSharingTenant } from '../rows/share-store.js';

/**
 * Does what one may do to a zone that another tenant shares: as the caller, and where the caller has no such zone, in the
 * place of the tenant that shares it. Its quotas and rules hold then; the journal still names the user. Owners
 * are asked nothing more for it.
 *
 * @param perform must throw `not-found` for a zone that is not of the tenant it is given, before it does anything
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
