import type { Database } from '@zonewright/database';
import { isUuid } from '@zonewright/service-kit';
import type { AwaitedChange } from '../rows/zone.js';

interface ChangedZoneRow {
  transaction: string;
  name: string;
  serial: number;
}

/**
 * Finds the change that a client waits for: that of this transaction or, if nothing changed, the last change of the
 * requested zone. Returns undefined if neither exists.
 */
export async function findAwaitedChange(
  trx: Database,
  zoneId: string | undefined,
): Promise<AwaitedChange | undefined> {
  const { rows } = await trx
    .raw<{ rows: ChangedZoneRow[] }>(
      `select d.changed_in::text as transaction, d.name, d.serial from dns.domains as d
        where d.changed_in = pg_current_xact_id_if_assigned() or d.id = cast(? as uuid)
        order by d.changed_in desc limit 1`,
      [zoneId !== undefined && isUuid(zoneId) ? zoneId : null],
    )
    .options({ name: 'find-awaited-change' });
  return rows[0] && toChange(rows[0]);
}

/** Finds the awaited change of a repeated request by its transaction. The zone may have changed since. */
export async function findPastAwaitedChange(
  trx: Database,
  transaction: string,
): Promise<AwaitedChange> {
  const { rows } = await trx.raw<{ rows: ChangedZoneRow[] }>(
    `select d.changed_in::text as transaction, d.name, d.serial from dns.domains as d
      where d.changed_in = cast(? as xid8) limit 1`,
    [transaction],
  );
  const [row] = rows;
  return row === undefined ? { transaction: BigInt(transaction), zone: undefined } : toChange(row);
}

function toChange({ transaction, name, serial }: ChangedZoneRow): AwaitedChange {
  return { transaction: BigInt(transaction), zone: { name, serial } };
}
