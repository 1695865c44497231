import { type Database, lockName } from '@zonewright/database';
import { ancestorsOf, nextSerial } from '@zonewright/dns-records';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import { announceChild, announceChildren } from '../domains/announce-child.js';
import { requireNoChildBelowDname, requireNoDnameAbove } from '../domains/check-dname-family.js';
import { displayNameOf } from '../domains/zone-content.js';
import { findHighestSerial } from '../rows/zone-store.js';
import { findParentSigning } from '../signing/signing-store.js';
import type { ServiceWork, ZoneSigner } from '../request/unit-of-work.js';
import { writeNewZone } from '../write/commit/write-changes.js';
import { lockZonesNamed } from '../write/commit/zone-rows.js';
import { compareDomains } from './compare-domains.js';
import { type MovedDomain, toTimestamp } from './read-domain.js';

/** The signer for imports. No signed domain gets a child here, and no domain is imported signed. */
const NO_SIGNER: ZoneSigner = {
  sign: () => Promise.reject(new Error('Domains are imported unsigned.')),
};

/**
 * Imports a domain with its records and its id, unless it already exists. DS records of a child domain's earlier
 * providers are removed, as when the DNS API creates a domain.
 *
 * @returns whether the domain is new
 * @throws ServiceError conflict
 */
export async function importDomain(
  trx: Database,
  domain: MovedDomain,
  { requestId, clock }: { readonly requestId: string; readonly clock: Clock },
): Promise<boolean> {
  if (!(await claimDomain(trx, domain))) return false;
  await requireUnsignedParent(trx, domain.name);
  const { name, email, ttl, description, records } = domain;
  const serial = chooseSerial(domain.serial, await findHighestSerial(trx, name), clock);
  const { tenant: tenantId } = domain;
  const work: ServiceWork = {
    ...{ trx, requestId, clock, source: 'operator', note: undefined },
    caller: { userId: 'operator', tenantId, roles: [] },
    ...{ signer: NO_SIGNER, written: { octets: 0 }, isDryRun: false },
  };
  const earlier = {
    ...{ id: domain.id, version: domain.version ?? 1 },
    createdAt: toTimestamp(domain.createdAt) ?? null,
    updatedAt: toTimestamp(domain.updatedAt) ?? null,
  };
  const displayName = displayNameOf(name, domain.displayName);
  const content = { tenantId, name, displayName, email, ttl, description, serial };
  const zone = await writeNewZone(work, content, { earlier, records });
  await requireNoChildBelowDname(trx, zone);
  await announceChild(work, zone);
  await announceChildren(work, zone);
  return true;
}

/** Rejects a signed parent: it would deny the child, and only the signer can sign the change. */
async function requireUnsignedParent(trx: Database, name: string): Promise<void> {
  const parent = await findParentSigning(trx, ancestorsOf(name));
  if (parent === undefined) return;
  throw new ServiceError(
    'conflict',
    `${name} is inside a signed domain; create it through the DNS API, and import its zone file there.`,
  );
}

/** Chooses a serial above earlier ones: resolvers and secondaries may have cached a deleted zone with this name. */
function chooseSerial(wanted: number | undefined, highest: number | undefined, clock: Clock) {
  const now = clock.now() / 1000;
  const serial = wanted ?? nextSerial(0, now);
  return highest === undefined || serial > highest ? serial : nextSerial(highest, now);
}

/**
 * Checks that the domain may be imported, and ensures this until the transaction ends. It takes the same locks as the
 * DNS API when it creates a domain, except for the lock of the tenant, since no quota is checked here.
 *
 * @returns false if the domain already exists
 * @throws ServiceError conflict
 */
async function claimDomain(trx: Database, domain: MovedDomain): Promise<boolean> {
  await lockName(trx, 'registrableDomain', registrableDomain(domain.name));
  await lockZonesNamed(trx, ancestorsOf(domain.name));
  const conflicts: string[] = [];
  const part = { ...domain, records: domain.records.length };
  const { present } = await compareDomains(trx, [part], conflicts);
  const [conflict] = conflicts;
  if (conflict !== undefined) {
    throw new ServiceError(
      'conflict',
      `${conflict}; this conflict arose during the import, and the domains imported before it are kept`,
    );
  }
  const isNew = !present.has(domain.id);
  if (isNew) await requireNoDnameAbove(trx, domain.name);
  return isNew;
}
