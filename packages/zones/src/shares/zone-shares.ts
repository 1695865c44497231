import type { Viewer } from '../request/caller.js';
import type { Database } from '@zonewright/database';
import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import { getZone, getZoneForChange } from '../rows/get-zone.js';
import type { InputMembers } from '../request/draft.js';
import { readTenantId } from '../request/tenant-id.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import {
  countZoneShares,
  deleteZoneShare,
  findZoneShare,
  insertZoneShare,
} from '../rows/share-store.js';
import type { ZoneShare } from '../rows/zone-share.js';

/** Maximum number of tenants with which a zone is shared. */
const MAX_SHARES = 100;

/** Lets another tenant read a zone and change its recordsets. @throws ServiceError `not-found`, `invalid` or `conflict` */
export async function shareZone(
  { trx, caller }: UnitOfWork,
  zoneId: string,
  { values, problems }: InputMembers,
): Promise<ZoneShare> {
  const zone = await getZoneForChange(trx, caller, zoneId);
  const target = readTenantId('target_project_id', values['target_project_id'], problems);
  if (target === caller.tenantId) {
    const message = 'target_project_id is your own project, which has the zone already.';
    throw invalidRequest([{ path: 'target_project_id', validator: 'disallowed', message }]);
  }
  if ((await countZoneShares(trx, zone.id)) >= MAX_SHARES) {
    throw new ServiceError(
      'over-quota',
      `A zone can be shared with ${MAX_SHARES} projects at most.`,
    );
  }
  const share = await insertZoneShare(trx, zone.id, target);
  if (share !== undefined) return share;
  throw new ServiceError('conflict', `The zone is shared with ${JSON.stringify(target)} already.`, {
    details: { subject: 'share' },
  });
}

/** @throws ServiceError `not-found` */
export async function getZoneShare(
  db: Database,
  viewer: Viewer,
  zoneId: string,
  id: string,
): Promise<ZoneShare> {
  const zone = await getZone(db, viewer, zoneId);
  const share = isUuid(id) ? await findZoneShare(db, zone.id, id) : undefined;
  if (share === undefined) throw notFound();
  return share;
}

/** @throws ServiceError `not-found` */
export async function unshareZone(
  { trx, caller }: UnitOfWork,
  zoneId: string,
  id: string,
): Promise<void> {
  const zone = await getZoneForChange(trx, caller, zoneId);
  if (!isUuid(id) || !(await deleteZoneShare(trx, zone.id, id))) throw notFound();
}

function notFound(): ServiceError {
  return new ServiceError('not-found', 'There is no share of this zone with this id.', {
    details: { subject: 'share' },
  });
}
