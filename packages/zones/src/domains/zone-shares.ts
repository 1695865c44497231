import { type Database, queryRow } from '@zonewright/database';
import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import { type Caller, readTenantId, type Viewer } from '../request/caller.js';
import type { InputMembers } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { getZone, getZoneForChange } from '../rows/get-zone.js';
import {
  countZoneShares,
  deleteZoneShare,
  findSharingTenant,
  findZoneShare,
  insertZoneShare,
  type ZoneShare,
} from '../rows/share-store.js';

/** Maximum number of tenants with which a zone can be shared. */
const MAX_SHARES = 100;

/**
 * Allows another tenant to read a zone and change its recordsets. @throws ServiceError `not-found`, `invalid` or
 * `conflict`
 */
export async function shareZone(
  { trx, caller }: UnitOfWork,
  zoneId: string,
  { values, problems }: InputMembers,
): Promise<ZoneShare> {
  const zone = await getZoneForChange(trx, caller, zoneId);
  const target = readTenantId('target_project_id', values['target_project_id'], problems);
  if (target === caller.tenantId) {
    const message = 'target_project_id is your own project, which already owns the zone.';
    const problems = [{ path: 'target_project_id', validator: 'disallowed', message }];
    throw invalidRequest(problems, 'share');
  }
  if ((await countZoneShares(trx, zone.id)) >= MAX_SHARES) {
    throw new ServiceError(
      'over-quota',
      `A zone can be shared with at most ${MAX_SHARES} projects.`,
    );
  }
  const share = await insertZoneShare(trx, zone.id, target);
  if (share !== undefined) return share;
  throw new ServiceError('conflict', `The zone is already shared with ${JSON.stringify(target)}.`, {
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

/**
 * Performs an operation on a zone that may be shared with the tenant: as the caller or, if the caller has no such zone,
 * as the owner. The quotas and rules of the owner then apply. The journal names the user in both cases. Owners need no
 * further query.
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

/** A statement for each kind of object that belongs to one tenant, by the id of the object. */
const OWNERS = {
  zone: `select d.tenant_id as "tenantId" from dns.domains as d
          where d.id = ? and d.deleted_at is null`,
  export: `select l.tenant_id as "tenantId" from dns.zone_tasks as l
            where l.id = ? and l.kind = 'export'`,
  import: `select l.tenant_id as "tenantId" from dns.zone_tasks as l
            where l.id = ? and l.kind = 'import'`,
  // A requester that deleted its accepted request no longer sees it. The named tenant still does.
  'transfer request': `select case when l.is_hidden then l.target_tenant_id else l.tenant_id end as "tenantId"
                         from dns.zone_transfers as l where l.id = ?`,
  'transfer accept': `select l.accepted_by as "tenantId" from dns.zone_transfers as l
                       where l.accept_id = ?`,
} as const;

/** Kind of an object that belongs to one tenant. */
export type OwnedKind = keyof typeof OWNERS;

/** An object that a request names. */
interface OwnedObject {
  readonly kind: OwnedKind;
  readonly id: string;
}

/** Returns the tenant that the object belongs to. Undefined if there is no such object. */
export async function findOwner(
  db: Database,
  { kind, id }: OwnedObject,
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await queryRow<{ tenantId: string | null }>(db, OWNERS[kind], [id]);
  return row?.tenantId ?? undefined;
}
