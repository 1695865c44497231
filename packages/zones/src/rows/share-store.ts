import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import {
  allOf,
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  valueCondition,
} from './listing.js';
import { asTimestamp, type Timestamp } from './statements.js';

/** Permission for another tenant to read a zone and change its recordsets. */
export interface ZoneShare {
  readonly id: string;
  readonly zoneId: string;
  readonly targetTenantId: string;
  readonly createdAt: Timestamp;
}

const COLUMNS = `l.id, l.domain_id as "zoneId", l.target_tenant_id as "targetTenantId",
  ${asTimestamp('l.created_at')} as "createdAt"`;

export type ZoneShareSortKey = 'created_at' | 'id';

const LISTING: Listing<ZoneShareSortKey> = {
  columns: COLUMNS,
  from: 'dns.zone_shares as l',
  id: 'l.id',
  sortColumns: { created_at: 'l.created_at', id: 'l.id' },
};

/** Returns undefined if the marker is not in the list. */
export async function listZoneShares(
  db: Database,
  zoneId: string,
  targetTenantId: string | undefined,
  order: ListOrder<ZoneShareSortKey>,
): Promise<ListedPage<ZoneShare> | undefined> {
  const condition = allOf([
    valueCondition('l.domain_id', 'zoneId', zoneId),
    valueCondition('l.target_tenant_id', 'targetTenantId', targetTenantId),
  ]);
  return await listPage(db, LISTING, condition, order);
}

export async function findZoneShare(
  db: Database,
  zoneId: string,
  id: string,
): Promise<ZoneShare | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.zone_shares as l where l.domain_id = ? and l.id = ?`,
    [zoneId, id],
  );
}

/** Returns undefined if the zone is already shared with that tenant. */
export async function insertZoneShare(
  trx: Database,
  zoneId: string,
  targetTenantId: string,
): Promise<ZoneShare | undefined> {
  return await queryRow(
    trx,
    `insert into dns.zone_shares as l (domain_id, target_tenant_id) values (?, ?)
     on conflict on constraint zone_shares_unique do nothing returning ${COLUMNS}`,
    [zoneId, targetTenantId],
  );
}

export async function deleteZoneShare(trx: Database, zoneId: string, id: string): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.zone_shares as l where l.domain_id = ? and l.id = ? returning l.id',
    [zoneId, id],
  );
  return rows.length > 0;
}

export async function deleteSharesOf(trx: Database, zoneIds: readonly string[]): Promise<void> {
  await trx.raw('delete from dns.zone_shares as l where l.domain_id = any(?::uuid[])', [
    [...zoneIds],
  ]);
}

export async function countZoneShares(trx: Database, zoneId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    trx,
    'select count(*) as count from dns.zone_shares as l where l.domain_id = ?',
    [zoneId],
  );
  return count;
}

/** Returns the owner of an existing zone that is shared with the tenant `targetTenantId`. */
export async function findSharingTenant(
  db: Database,
  targetTenantId: string,
  zoneId: string,
): Promise<string | undefined> {
  const row = await queryRow<{ tenantId: string }>(
    db,
    `select d.tenant_id as "tenantId"
       from dns.zone_shares as l join dns.domains as d on d.id = l.domain_id
      where l.domain_id = ? and l.target_tenant_id = ? and d.deleted_at is null`,
    [zoneId, targetTenantId],
  );
  return row?.tenantId;
}

/** Maximum number of shared zones in lists, oldest shares first. */
const MAX_LISTED = 1_000;

/** Lists the ids of zones that others share with the tenant. */
export async function listSharedZoneIds(db: Database, targetTenantId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    `select l.domain_id as id from dns.zone_shares as l where l.target_tenant_id = ?
      order by l.created_at, l.id limit ${MAX_LISTED}`,
    [targetTenantId],
  );
  return rows.map(({ id }) => id);
}
