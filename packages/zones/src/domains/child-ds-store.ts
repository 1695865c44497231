import { type Database, queryRows } from '@zonewright/database';
import type { Zone } from '../rows/zone.js';

/** Names below a zone at which it has DS records, and at which a zone begins whose records are in this service, not at primaries. */
export async function listChildrenWithDs(
  db: Database,
  { id, name }: Pick<Zone, 'id' | 'name'>,
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select d.name from dns.domains as d
      where reverse(d.name) collate "C" >= reverse(?) || '.' and reverse(d.name) collate "C" < reverse(?) || '/'
        and d.deleted_at is null
        and not exists (select from dns.secondaries as s where s.domain_id = d.id)
        and exists (select from dns.records as r where r.domain_id = ? and r.name = d.name and r.type = 'DS')`,
    [name, name, id],
  );
  return rows.map((row) => row.name);
}
