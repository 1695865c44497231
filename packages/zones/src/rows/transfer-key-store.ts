import { type Database, queryRow, queryRows, type SealedSecret } from '@zonewright/database';
import { hasColumn } from '../sql/has-column.js';

/** Since migration 0040. */
async function areKept(db: Database): Promise<boolean> {
  return await hasColumn(db, 'zone_transfers', 'secret_sealed');
}

/** Keeps the key of an offer, if this schema does. */
export async function updateTransferKey(
  trx: Database,
  id: string,
  { sealed, keyId }: SealedSecret,
): Promise<void> {
  if (!(await areKept(trx))) return;
  await queryRows(
    trx,
    'update dns.zone_transfers as l set secret_sealed = ?, secret_key_id = ? where l.id = ?',
    [sealed, keyId, id],
  );
}

/** The key of an offer that still stands. */
export async function findTransferKey(db: Database, id: string): Promise<SealedSecret | undefined> {
  if (!(await areKept(db))) return undefined;
  return await queryRow(
    db,
    `select l.secret_sealed as sealed, l.secret_key_id as "keyId" from dns.zone_transfers as l
      where l.id = ? and l.status = 'ACTIVE' and l.secret_sealed is not null`,
    [id],
  );
}

/** It opens nothing any more. */
export async function eraseTransferKey(trx: Database, id: string): Promise<void> {
  if (!(await areKept(trx))) return;
  await queryRows(
    trx,
    'update dns.zone_transfers as l set secret_sealed = null, secret_key_id = null where l.id = ?',
    [id],
  );
}
