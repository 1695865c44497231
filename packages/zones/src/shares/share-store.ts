import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListPage } from '../sql/listing.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { ZoneShare } from './zone-share.js';

const COLUMNS = `l.id, l.domain_id as "zoneId", l.target_tenant_id as "targetTenantId",
  ${asTimestamp('l.created_at')} as "createdAt"`;

const LISTING: Listing = {
  columns: COLUMNS,
  from: 'dns.zone_shares as l',
  id: 'l.id',
  sortKeys: { created_at: 'l.created_at', id: 'l.id', updated_at: 'l.created_at' },
};

export async function listZoneShares(
  db: Database,
  zoneId: string,
  targetTenantId: string | undefined,
  page: ListPage,
): Promise<ListedPage<ZoneShare>> {
  const where = [
    'l.domain_id = cast(:zoneId as uuid)',
    ...(targetTenantId === undefined ? [] : ['l.target_tenant_id = :targetTenantId']),
  ];
  const bindings = { zoneId, targetTenantId: targetTenantId ?? null };
  return await listPage(db, LISTING, { where, bindings }, page);
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

/** Undefined: it is shared with that tenant already. */
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

/** Whose living zone it is that is shared with the tenant. */
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
