import {
  type Database,
  queryReturning,
  queryRow,
  queryRows,
  type SealedSecret,
} from '@zonewright/database';
import type { AnyViewer } from '../request/caller.js';
import {
  allOf,
  type ListedPage,
  type Listing,
  type ListOrder,
  listPage,
  textCondition,
  type TextFilter,
} from './listing.js';
import { asTimestamp, type Timestamp } from './statements.js';

/** Zone transfer between tenants, and the tenant that accepted it. */
export interface ZoneTransfer {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: string;
  readonly displayZoneName: string;
  /** Tenant that requested the transfer. */
  readonly tenantId: string;
  /** Null if any tenant with the key may accept it. */
  readonly targetTenantId: string | null;
  readonly description: string | null;
  readonly status: 'ACTIVE' | 'COMPLETE';
  /** Whether the requesting tenant has deleted it after it was accepted. */
  readonly isHidden: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Transfer in the view of the tenant that accepted it. */
export interface TransferAccept {
  readonly id: string;
  readonly transferId: string;
  readonly zoneId: string;
  readonly tenantId: string;
  readonly createdAt: Timestamp;
}

const COLUMNS = `l.id, l.domain_id as "zoneId", d.name as "zoneName",
  coalesce(d.display_name, d.name) as "displayZoneName", l.tenant_id as "tenantId",
  l.target_tenant_id as "targetTenantId", l.description, l.status,
  l.is_hidden as "isHidden",
  ${asTimestamp('l.created_at')} as "createdAt", ${asTimestamp('l.updated_at')} as "updatedAt"`;
const FROM = 'dns.zone_transfers as l join dns.domains as d on d.id = l.domain_id';

export type TransferSortKey = 'created_at' | 'id' | 'updated_at';

const LISTING: Listing<TransferSortKey> = {
  columns: COLUMNS,
  from: FROM,
  id: 'l.id',
  sortColumns: {
    created_at: 'l.created_at',
    id: 'l.id',
    updated_at: `coalesce(l.updated_at, '-infinity')`,
  },
};

/**
 * Lists transfer requests that the tenant created or that name it as target, or those of all tenants. Returns undefined
 * if the marker is not in the list.
 */
export async function listTransfers(
  db: Database,
  { tenantId }: Pick<AnyViewer, 'tenantId'>,
  status: TextFilter | undefined,
  order: ListOrder<TransferSortKey>,
): Promise<ListedPage<ZoneTransfer> | undefined> {
  const isVisible =
    tenantId === undefined
      ? { sql: '(not l.is_hidden or l.target_tenant_id is not null)', values: {} }
      : {
          sql: '((l.tenant_id = :tenantId and not l.is_hidden) or l.target_tenant_id = :tenantId)',
          values: { tenantId },
        };
  const condition = allOf([isVisible, textCondition('l.status', 'status', status)]);
  return await listPage(db, LISTING, condition, order);
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

/** Locks a transfer request that has not been accepted. Returns false if there is none. */
export async function lockTransferRequest(trx: Database, id: string): Promise<boolean> {
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

/** Returns undefined if the zone already has a transfer request. */
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

/**
 * Deletes a transfer request. An accepted transfer stays in the list of the tenant that accepted it. Returns false if
 * there is none.
 */
export async function deleteTransfer(
  trx: Database,
  { id, tenantId }: Pick<ZoneTransfer, 'id' | 'tenantId'>,
): Promise<boolean> {
  const rows = await queryRows(
    trx,
    `with gone as (
       delete from dns.zone_transfers as l
        where l.id = ? and l.tenant_id = ? and l.status = 'ACTIVE' returning l.id
     ), hidden as (
       update dns.zone_transfers as l set is_hidden = true
        where l.id = ? and l.tenant_id = ? and l.status = 'COMPLETE' and not l.is_hidden returning l.id
     )
     select gone.id from gone union all select hidden.id from hidden`,
    [id, tenantId, id, tenantId],
  );
  return rows.length > 0;
}

/** Deletes the transfer requests of these zones. */
export async function deleteTransferRequestsOf(
  trx: Database,
  zoneIds: readonly string[],
): Promise<void> {
  await trx.raw(
    `delete from dns.zone_transfers as l where l.domain_id = any(?::uuid[]) and l.status = 'ACTIVE'`,
    [[...zoneIds]],
  );
}

/** Stores the key of a transfer request. */
export async function updateTransferKey(
  trx: Database,
  id: string,
  { sealed, keyId }: SealedSecret,
): Promise<void> {
  await queryRows(
    trx,
    'update dns.zone_transfers as l set secret_sealed = ?, secret_key_id = ? where l.id = ?',
    [sealed, keyId, id],
  );
}

/** Returns the key of a transfer request that has not been accepted. */
export async function findTransferKey(db: Database, id: string): Promise<SealedSecret | undefined> {
  return await queryRow(
    db,
    `select l.secret_sealed as sealed, l.secret_key_id as "keyId" from dns.zone_transfers as l
      where l.id = ? and l.status = 'ACTIVE' and l.secret_sealed is not null`,
    [id],
  );
}

/** Erases the key, which is no longer valid. */
export async function eraseTransferKey(trx: Database, id: string): Promise<void> {
  await queryRows(
    trx,
    'update dns.zone_transfers as l set secret_sealed = null, secret_key_id = null where l.id = ?',
    [id],
  );
}
