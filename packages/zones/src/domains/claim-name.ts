import { type Database, lockName } from '@zonewright/database';
import { ancestorsOf, isAtOrBelow } from '@zonewright/dns-records';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { ServiceError } from '@zonewright/service-kit';
import { getLimits } from './quotas.js';
import { findNameserverDomain } from '../rows/nameserver-domain.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { requireNoDnameAbove } from './check-dname-family.js';
import { countZones, findZoneBelow, listZonesNamed } from '../rows/zone-store.js';
import { lockZonesNamed } from '../write/commit/zone-rows.js';

/**
 * Ensures that the tenant may create a zone with this name, until the transaction ends. Other creations of zones in the
 * same registrable domain, and by the same tenant, wait.
 *
 * @throws ServiceError `conflict` (the name is taken), `forbidden` (it is in or above a zone of another tenant),
 * `invalid` (a DNAME record hides it) or `over-quota`
 */
export async function claimZoneName(work: UnitOfWork, name: string): Promise<void> {
  const { trx, caller } = work;
  await lockName(trx, 'registrableDomain', registrableDomain(name));
  await lockName(trx, 'tenant', caller.tenantId);
  await requireOutsideNameserverDomain(trx, name);
  await requireFree(work, name);
  await requireOwnFamily(work, name);
  await requireNoDnameAbove(trx, name);
  await requireQuota(work);
}

async function requireFree({ trx }: UnitOfWork, name: string): Promise<void> {
  const [existing] = await listZonesNamed(trx, [name]);
  if (existing === undefined) return;
  throw new ServiceError('conflict', `The domain ${JSON.stringify(name)} already exists.`, {
    details: {
      subject: 'zone',
      problems: [
        {
          path: 'name',
          validator: 'unique',
          message: `name ${JSON.stringify(name)} is already taken.`,
        },
      ],
    },
  });
}

/** Rejects a zone below the nameserver domain, since its answers would replace the nameservers' addresses. */
export async function requireOutsideNameserverDomain(trx: Database, name: string): Promise<void> {
  const nameserverDomain = (await findNameserverDomain(trx))?.name;
  if (nameserverDomain === undefined || !isAtOrBelow(name, nameserverDomain)) return;
  throw new ServiceError(
    'forbidden',
    `The domain ${JSON.stringify(nameserverDomain)} contains the nameservers of this service; only the operator can use names in it.`,
  );
}

/** Rejects a child or parent of another tenant's domain with 403 (D-ZONE-30). */
async function requireOwnFamily({ trx, caller }: UnitOfWork, name: string): Promise<void> {
  for (const ancestor of await listZonesNamed(trx, ancestorsOf(name))) {
    // A zone of another tenant is not locked, so that nobody can prevent its changes.
    if (ancestor.tenantId !== caller.tenantId) throw familyError(name, 'is inside a domain');
  }
  // The lock prevents new records at a name that is about to belong to the child.
  await lockZonesNamed(trx, ancestorsOf(name));
  if ((await findZoneBelow(trx, name, caller.tenantId)) !== undefined) {
    throw familyError(name, 'contains a domain');
  }
}

function familyError(name: string, what: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `The domain ${JSON.stringify(name)} ${what} of another project; only that project can create it.`,
  );
}

async function requireQuota({ trx, caller, rules }: UnitOfWork): Promise<void> {
  const { maxDomains } = await getLimits(trx, caller.tenantId, rules);
  if ((await countZones(trx, caller.tenantId)) < maxDomains) return;
  throw new ServiceError(
    'over-quota',
    `The project has reached its limit of ${maxDomains} domains; delete one, or ask the operator for a higher limit.`,
  );
}
