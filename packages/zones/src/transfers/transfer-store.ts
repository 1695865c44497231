import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListPage } from '../sql/listing.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { ZoneTransfer } from './zone-transfer.js';

const COLUMNS = `l.id, l.domain_id as "zoneId", d.name as "zoneName", l.tenant_id as "tenantId",
  l.target_tenant_id as "targetTenantId", l.description, l.status,
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;
const FROM = 'dns.zone_transfers as l join dns.domains as d on d.id = l.domain_id';

const LISTING: Listing = {
  columns: COLUMNS,
  from: FROM,
  id: 'l.id',
  sortKeys: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
  },
};

/** Those that the tenant offers, and those that are offered to it alone. */
export async function listTransfers(
  db: Database,
  tenantId: string,
  status: string | undefined,
  page: ListPage,
): Promise<ListedPage<ZoneTransfer>> {
  const where = [
    '(l.tenant_id = :tenantId or l.target_tenant_id = :tenantId)',
    ...(status === undefined ? [] : ['l.status = :status']),
  ];
  return await listPage(db, LISTING, { where, bindings: { tenantId, status: status ?? null } }, page);
}

export async function findTransfer(db: Database, id: string): Promise<ZoneTransfer | undefined> {
  return await queryRow(db, `select ${COLUMNS} from ${FROM} where l.id = ?`, [id]);
}

export async function findKeyDigest(db: Database, id: string): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer }>(
    db,
    'select l.key_digest as digest from dns.zone_transfers as l where l.id = ?',
    [id],
  );
  return row?.digest;
}

/** Keeps an offer as it is, if it still stands. */
export async function lockOffer(trx: Database, id: string): Promise<boolean> {
  const rows = await queryRows(
    trx,
    `select l.id from dns.zone_transfers as l where l.id = ? and l.status = 'ACTIVE' for update`,
    [id],
  );
  return rows.length > 0;
}

type NewTransfer = Pick<ZoneTransfer, 'zoneId' | 'tenantId' | 'targetTenantId' | 'description'> & {
  readonly keyDigest: Buffer;
};

/** Undefined: the zone is offered already. */
export async function insertTransfer(
  trx: Database,
  transfer: NewTransfer,
): Promise<ZoneTransfer | undefined> {
  const { zoneId, tenantId, targetTenantId, description, keyDigest } = transfer;
  return await queryRow(
    trx,
    `with l as (
       insert into dns.zone_transfers (domain_id, tenant_id, target_tenant_id, description, key_digest)
       values (?, ?, ?, ?, ?)
       on conflict (domain_id) where status = 'ACTIVE' do nothing returning *
     )
     select ${COLUMNS} from l join dns.domains as d on d.id = l.domain_id`,
    [zoneId, tenantId, targetTenantId, description, keyDigest],
  );
}

export async function updateTransfer(
  trx: Database,
  { id, targetTenantId, description }: Pick<ZoneTransfer, 'id' | 'targetTenantId' | 'description'>,
): Promise<ZoneTransfer> {
  return await queryReturning(
    trx,
    `with l as (
       update dns.zone_transfers as t
          set target_tenant_id = ?, description = ?, updated_at = clock_timestamp()
        where t.id = ? returning *
     )
     select ${COLUMNS} from l join dns.domains as d on d.id = l.domain_id`,
    [targetTenantId, description, id],
  );
}

export async function deleteTransfer(
  trx: Database,
  { id, tenantId }: Pick<ZoneTransfer, 'id' | 'tenantId'>,
): Promise<boolean> {
  const rows = await queryRows(
    trx,
    'delete from dns.zone_transfers as l where l.id = ? and l.tenant_id = ? returning l.id',
    [id, tenantId],
  );
  return rows.length > 0;
}

/** Takes back what is offered of these zones. */
export async function deleteOffersOf(trx: Database, zoneIds: readonly string[]): Promise<void> {
  await trx.raw(
    `delete from dns.zone_transfers as l where l.domain_id = any(?::uuid[]) and l.status = 'ACTIVE'`,
    [[...zoneIds]],
  );
}
