import { type Database, queryReturning, queryRow } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListPage } from '../sql/listing.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { TransferAccept } from './zone-transfer.js';

const COLUMNS = `l.accept_id as id, l.id as "transferId", l.domain_id as "zoneId", l.accepted_by as "tenantId",
  ${asTimestamp('l.accepted_at')} as "createdAt"`;

const LISTING: Listing = {
  columns: COLUMNS,
  from: 'dns.zone_transfers as l',
  id: 'l.accept_id',
  sortKeys: { created_at: 'l.accepted_at', id: 'l.accept_id', updated_at: 'l.accepted_at' },
};

export async function listAccepts(
  db: Database,
  tenantId: string,
  page: ListPage,
): Promise<ListedPage<TransferAccept>> {
  return await listPage(
    db,
    LISTING,
    { where: ['l.accepted_by = :tenantId'], bindings: { tenantId } },
    page,
  );
}

export async function findAccept(
  db: Database,
  tenantId: string,
  id: string,
): Promise<TransferAccept | undefined> {
  return await queryRow(
    db,
    `select ${COLUMNS} from dns.zone_transfers as l where l.accept_id = ? and l.accepted_by = ?`,
    [id, tenantId],
  );
}

/** Writes down who took what was offered. */
export async function completeTransfer(
  trx: Database,
  id: string,
  tenantId: string,
): Promise<TransferAccept> {
  return await queryReturning(
    trx,
    `update dns.zone_transfers as l
        set status = 'COMPLETE', accept_id = gen_random_uuid(), accepted_by = ?, accepted_at = clock_timestamp(),
            updated_at = clock_timestamp()
      where l.id = ? returning ${COLUMNS}`,
    [tenantId, id],
  );
}
