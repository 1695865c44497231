import { type Database, queryRows } from '@zonewright/database';
import type { ZoneTransfer } from '../rows/zone-transfer.js';

/** The ids of a tenant's zone and of its zones below that, in the order in which zones are locked. */
export async function listFamily(
  trx: Database,
  { zoneId, zoneName, tenantId }: Pick<ZoneTransfer, 'zoneId' | 'zoneName' | 'tenantId'>,
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    trx,
    `select d.id from dns.domains as d
      where d.tenant_id = ? and d.deleted_at is null
        and (d.id = ? or (reverse(d.name) collate "C" >= reverse(?) || '.'
                          and reverse(d.name) collate "C" < reverse(?) || '/'))
      order by d.id`,
    [tenantId, zoneId, zoneName, zoneName],
  );
  return rows.map(({ id }) => id);
}
