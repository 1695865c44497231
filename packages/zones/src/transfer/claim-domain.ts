import { type Database, lockName } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { ServiceError } from '@zonewright/service-kit';
import type { MovedDomain } from './read-domain.js';
import { compareDomains } from './compare-domains.js';
import { keepZonesNamed } from '../rows/zone-store.js';

/**
 * Makes sure that the domain may be taken over, and that this stays so until the transaction ends, with the locks that
 * the DNS API takes when it creates a domain. The tenant's is not among them: no quota is asked here.
 *
 * @returns false if it is there already
 * @throws ServiceError conflict
 */
export async function claimDomain(trx: Database, domain: MovedDomain): Promise<boolean> {
  await lockName(trx, 'registrableDomain', registrableDomain(domain.name));
  await keepZonesNamed(trx, ancestorsOf(domain.name));
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
  return !present.has(domain.id);
}
