import { type Database, queryReturning, queryRow } from '@zonewright/database';
import { listPage, type ListedPage, type Listing, type ListOrder } from '../sql/listing.js';
import { valueCondition } from '../sql/text-filter.js';
import { asTimestamp } from '../sql/timestamps.js';
import type { TransferAccept } from '../rows/zone-transfer.js';

const COLUMNS = `l.accept_id as id, l.id as "transferId", l.domain_id as "zoneId", l.accepted_by as "tenantId",
  ${asTimestamp('l.accepted_at')} as "createdAt"`;

export type AcceptSortKey = 'created_at' | 'id';

const LISTING: Listing<AcceptSortKey> = {
  columns: COLUMNS,
  from: 'dns.zone_transfers as l',
  id: 'l.accept_id',
  sortColumns: { created_at: 'l.accepted_at', id: 'l.accept_id' },
};

/** Undefined: the marker is not in the list. */
export async function listAccepts(
  db: Database,
  tenantId: string,
  order: ListOrder<AcceptSortKey>,
): Promise<ListedPage<TransferAccept> | undefined> {
  const condition = valueCondition('l.accepted_by', 'tenantId', tenantId);
  return await listPage(db, LISTING, condition, order);
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
