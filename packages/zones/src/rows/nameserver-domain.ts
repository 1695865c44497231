import { isIPv4, isIPv6 } from 'node:net';
import { announceZoneChange, type Database, queryRow } from '@zonewright/database';
import {
  checkDomainName,
  checkEmail,
  type Problem,
  toAsciiDomainName,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { findZoneBelow, listZonesNamed } from './zone-store.js';

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
  /** Mailbox in the SOA record of the nameserver domain. */
  readonly email: string;
}

/** @throws ServiceError invalid, conflict if a tenant has a domain at or below that name */
export async function setNameserverDomain(
  db: Database,
  input: NameserverDomainInput,
): Promise<NameserverDomain> {
  const name = parseDomainName(input.name);
  const email = parseMailbox(input.email);
  return await db.transaction(async (trx) => {
    const hosted = await findHostedZone(trx, name);
    if (hosted !== undefined) {
      // The domain's answers would replace the addresses of the nameservers.
      throw new ServiceError('conflict', `a tenant already has the domain "${hosted}"`);
    }
    await upsertNameserverDomain(trx, { name, email });
    return await getNameserverDomain(trx);
  });
}

/** Returns a tenant's domain at or below this name, if there is one. */
async function findHostedZone(trx: Database, name: string): Promise<string | undefined> {
  const [zone] = await listZonesNamed(trx, [name]);
  return zone?.name ?? (await findZoneBelow(trx, name));
}

/** Domain that contains the names of the nameservers. */
export interface NameserverDomain {
  /** Canonical name with a trailing dot. */
  readonly name: string;
  readonly email: string;
  readonly serial: number;
}

const COLUMNS = 'n.name, n.email, n.serial';

export async function findNameserverDomain(db: Database): Promise<NameserverDomain | undefined> {
  return await queryRow<NameserverDomain>(db, `select ${COLUMNS} from dns.nameserver_domain as n`);
}

/**
 * Writes the single row, with a serial that follows the last one (D-ZONE-33). It also notifies the readers of the feed,
 * since the table has no trigger.
 */
async function upsertNameserverDomain(
  db: Database,
  domain: Pick<NameserverDomain, 'name' | 'email'>,
): Promise<void> {
  await db.raw(
    `insert into dns.nameserver_domain as n (name, email, serial)
     values (?, ?, extract(epoch from now())::bigint)
     on conflict (is_only) do update
        set name = excluded.name, email = excluded.email,
            serial = greatest(excluded.serial, n.serial + 1), changed_in = pg_current_xact_id()`,
    [domain.name, domain.email],
  );
  await announceZoneChange(db, 'servers');
}

/**
 * Returns the canonical form of a name that must follow the rules for domains (D-ZONE). The trailing dot is optional.
 *
 * @throws ServiceError invalid
 */
export function parseDomainName(text: string): string {
  const absolute = text.endsWith('.') ? text : `${text}.`;
  refuse(checkDomainName(absolute));
  return toAsciiDomainName(absolute);
}

/** Reads a mailbox for an SOA record. @throws ServiceError invalid */
function parseMailbox(text: string): string {
  refuse(checkEmail(text));
  return text;
}

/** @throws ServiceError invalid */
export function parseIpv4(text: string): string {
  if (isIPv4(text)) return text;
  throw new ServiceError('invalid', `"${text}" is not an IPv4 address`);
}

/** Reads an IPv6 address without a zone index, which has a meaning only on one machine. @throws ServiceError invalid */
export function parseIpv6(text: string): string {
  if (isIPv6(text) && !text.includes('%')) return text;
  throw new ServiceError('invalid', `"${text}" is not an IPv6 address`);
}

/** Throws the first problem, since one sentence is sufficient on a command line. */
function refuse([problem]: readonly Problem[]): void {
  if (problem !== undefined) {
    throw new ServiceError('invalid', problem.message.replace(/\.$/, ''), { details: problem });
  }
}
