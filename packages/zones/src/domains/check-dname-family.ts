import { type Database, queryRow } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { invalidRequest, type ServiceError } from '@zonewright/service-kit';
import { isBelow } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';

/**
 * Rejects a domain at or below a DNAME record of a domain above it: resolvers follow that record, and never query the
 * domain (RFC 6672 section 2.3). The caller has locked the domains above.
 *
 * @throws ServiceError `invalid`
 */
export async function requireNoDnameAbove(trx: Database, name: string): Promise<void> {
  const above = ancestorsOf(name);
  const row = await queryRow<{ name: string }>(
    trx,
    `select r.name from dns.domains as d join dns.records as r on r.domain_id = d.id
      where d.name = any(?::text[]) and d.deleted_at is null and r.type = 'DNAME' and r.name = any(?::text[])
      limit 1`,
    [above, [name, ...above]],
  );
  if (row !== undefined) throw dnameError(name, row.name);
}

/**
 * Rejects a restored domain with a DNAME record at or above a domain that was created in the meantime.
 *
 * @throws ServiceError `invalid`
 */
export async function requireNoChildBelowDname(
  trx: Database,
  { id }: Pick<Zone, 'id'>,
): Promise<void> {
  const row = await queryRow<{ name: string; child: string }>(
    trx,
    `select r.name, d.name as child from dns.records as r
       join dns.domains as d on d.deleted_at is null and d.id <> r.domain_id
        and (d.name = r.name or ${isBelow('r.name')})
      where r.domain_id = ? and r.type = 'DNAME' limit 1`,
    [id],
  );
  if (row !== undefined) throw dnameError(row.child, row.name);
}

function dnameError(child: string, owner: string): ServiceError {
  const message = `The DNAME record of ${JSON.stringify(owner)} hides the domain ${JSON.stringify(child)}. Delete one of them first.`;
  return invalidRequest([{ path: 'name', validator: 'dname', message }]);
}
