import { type Database, lockName } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { ServiceError } from '@zonewright/service-kit';
import type { MovedDomain } from './read-domain.js';
import { compareDomains } from './compare-domains.js';
import { requireNoDnameAbove } from '../domains/check-dname-family.js';
import { lockZonesNamed } from '../write/commit/zone-rows.js';

/**
 * Checks that the domain may be taken over, and ensures this until the transaction ends. It takes the locks that the DNS API
 * takes to create a domain. The tenant's lock is not among them: no quota is checked here.
 *
 * @returns false if the domain exists already
 * @throws ServiceError conflict
 */
export async function claimDomain(trx: Database, domain: MovedDomain): Promise<boolean> {
  await lockName(trx, 'registrableDomain', registrableDomain(domain.name));
  await lockZonesNamed(trx, ancestorsOf(domain.name));
  const conflicts: string[] = [];
  const part = { ...domain, records: domain.records.length };
  const { present } = await compareDomains(trx, [part], conflicts);
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    throw new ServiceError(
      'conflict',
      `${conflict}, since the import began; what was imported before it stays`,
    );
  }
  const isNew = !present.has(domain.id);
  if (isNew) await requireNoDnameAbove(trx, domain.name);
  return isNew;
}
