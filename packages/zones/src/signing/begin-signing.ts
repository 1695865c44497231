import { SIGNING_ALGORITHMS } from '@zonewright/dns-records/dnssec';
import { findNameserverDomain } from '../rows/nameserver-domain.js';
import { getZoneApex } from '../rows/nameserver-store.js';
import type { Zone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { insertSigning, listUnableNameservers, type SigningCapability } from './dnssec-store.js';

/** Returns the reason why a zone cannot be signed. Undefined if it can. */
export async function whyNotSignable(
  { trx }: Pick<UnitOfWork, 'trx'>,
  { id, name }: Pick<Zone, 'id' | 'name'>,
): Promise<string | undefined> {
  if ((await findNameserverDomain(trx))?.name === name) {
    return 'The domain of the nameservers cannot be signed.';
  }
  if ((await getZoneApex(trx, id)) === undefined) {
    return 'A secondary domain can be signed only at its primaries.';
  }
  return await whyNotServable(trx, 'dnssec');
}

/** Names the nameservers that cannot serve the signed data. Undefined if all can. */
export async function whyNotServable(
  trx: UnitOfWork['trx'],
  capability: SigningCapability,
): Promise<string | undefined> {
  const unable = await listUnableNameservers(trx, capability);
  if (unable.length === 0) return undefined;
  const what =
    capability === 'dnssec' ? 'Domains cannot be signed' : 'Algorithms cannot be changed';
  return `${what} while nameservers of an earlier version are running: ${unable.join(', ')}.`;
}

/** Starts signing a new zone, if that is possible. */
export async function beginSigning(work: UnitOfWork, zone: Zone): Promise<void> {
  if (work.isDryRun || (await whyNotSignable(work, zone)) !== undefined) return;
  const { trx, caller, clock } = work;
  await insertSigning(trx, {
    id: zone.id,
    algorithm: SIGNING_ALGORITHMS.ecdsaP256,
    userId: caller.userId,
    at: new Date(clock.now()),
  });
}
