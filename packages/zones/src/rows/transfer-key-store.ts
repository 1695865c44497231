import { type Database, queryRow, queryRows, type SealedSecret } from '@zonewright/database';

/** Keeps the key of an offer. */
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

/** The key of an offer that still stands. */
export async function findTransferKey(db: Database, id: string): Promise<SealedSecret | undefined> {
  return await queryRow(
    db,
    `select l.secret_sealed as sealed, l.secret_key_id as "keyId" from dns.zone_transfers as l
      where l.id = ? and l.status = 'ACTIVE' and l.secret_sealed is not null`,
    [id],
  );
}

/** It opens nothing any more. */
export async function eraseTransferKey(trx: Database, id: string): Promise<void> {
  await queryRows(
    trx,
    'update dns.zone_transfers as l set secret_sealed = null, secret_key_id = null where l.id = ?',
    [id],
  );
}
