import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { findZoneBelow, listZonesNamed } from '../rows/zone-store.js';
import { parseDomainName, parseMailbox } from './nameserver-values.js';
import {
  findNameserverDomain,
  type NameserverDomain,
  upsertNameserverDomain,
} from './nameserver-domain-store.js';

/** @throws ServiceError not-found before bootstrap */
export async function getNameserverDomain(db: Database): Promise<NameserverDomain> {
  const domain = await findNameserverDomain(db);
  if (domain === undefined) {
    throw new ServiceError('not-found', 'there is no nameserver domain yet: run bootstrap first');
  }
  return domain;
}

interface NameserverDomainInput {
  readonly name: string;
  /** The mailbox in the SOA record of the nameserver domain. */
  readonly email: string;
}

/** @throws ServiceError invalid, conflict when a tenant has a domain at or below that name */
export async function setNameserverDomain(
  db: Database,
  input: NameserverDomainInput,
): Promise<NameserverDomain> {
  const name = parseDomainName(input.name);
  const email = parseMailbox(input.email);
  return await db.transaction(async (trx) => {
    const hosted = await findHostedZone(trx, name);
    if (hosted !== undefined) {
      // Its answers would replace the addresses of the nameservers.
      throw new ServiceError('conflict', `a tenant has the domain "${hosted}" already`);
    }
    await upsertNameserverDomain(trx, { name, email });
    return await getNameserverDomain(trx);
  });
}

/** A domain of a tenant at or below this name, if there is one. */
async function findHostedZone(trx: Database, name: string): Promise<string | undefined> {
  const [zone] = await listZonesNamed(trx, [name]);
  return zone?.name ?? (await findZoneBelow(trx, name));
}
