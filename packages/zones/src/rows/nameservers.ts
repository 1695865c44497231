import { randomUUID } from 'node:crypto';
import type { Database } from '@zonewright/database';
import { isUuid, ServiceError } from '@zonewright/service-kit';
import { orConflict } from '@zonewright/database';
import { parseDomainName, parseIpv4, parseIpv6 } from './nameserver-domain.js';
import { getNameserverDomain } from './nameserver-domain.js';
import {
  deleteNameserver,
  deleteNameserverStatus,
  findNameserver,
  insertNameserver,
  listNameservers,
  type Nameserver,
  updateNameserver,
} from './nameserver-store.js';

/** Nameserver with its addresses. A name with one label is in the nameserver domain. */
export interface NameserverInput {
  readonly name: string;
  readonly ipv4?: string | undefined;
  readonly ipv6?: string | undefined;
}

/** @throws ServiceError conflict, invalid, not-found before bootstrap */
export async function addNameserver(
  db: Database,
  input: NameserverInput & { readonly id?: string | undefined },
): Promise<Nameserver> {
  const { id = randomUUID() } = input;
  // The id of a nameserver is a UUID, unlike the ids of accounts (DNS API s2).
  if (!isUuid(id)) throw new ServiceError('invalid', `the id "${id}" is not a UUID`);
  const server = {
    name: await toFullName(db, input.name),
    ipv4: input.ipv4 === undefined ? null : parseIpv4(input.ipv4),
    ipv6: input.ipv6 === undefined ? null : parseIpv6(input.ipv6),
  };
  return await orConflict(insertNameserver(db, id, server), {
    servers_pkey: `a nameserver with the id "${id}" already exists`,
    servers_position_unique: 'another nameserver was added at the same time: try again',
    ...nameConflict(server.name),
  });
}

/** Finds a nameserver by full name, or by its label in the nameserver domain. @throws ServiceError not-found */
async function getNameserver(db: Database, reference: string): Promise<Nameserver> {
  const server = await findNameserver(db, await toFullName(db, reference));
  if (server === undefined) {
    throw new ServiceError('not-found', `there is no nameserver "${reference}"`);
  }
  return server;
}

interface NameserverChange {
  readonly name?: string | undefined;
  /** Null removes the address. */
  readonly ipv4?: string | null | undefined;
  readonly ipv6?: string | null | undefined;
}

/** Changes the given members. @throws ServiceError conflict, invalid, not-found */
export async function changeNameserver(
  db: Database,
  reference: string,
  change: NameserverChange,
): Promise<Nameserver> {
  const server = await getNameserver(db, reference);
  const { ipv4 = server.ipv4, ipv6 = server.ipv6 } = change;
  const changed = {
    name: change.name === undefined ? server.name : await toFullName(db, change.name),
    ipv4: ipv4 === null ? null : parseIpv4(ipv4),
    ipv6: ipv6 === null ? null : parseIpv6(ipv6),
  };
  return await orConflict(updateNameserver(db, server.id, changed), nameConflict(changed.name));
}

/**
 * Removes a nameserver from the list, and the last status of its process from the database, since publication would
 * wait for it. A process that is still running writes its status again; it must then be removed once more after the
 * process has ended.
 *
 * @returns undefined if it was not in the list, and only its status existed
 * @throws ServiceError not-found, conflict for the last one: a zone needs a nameserver
 */
export async function removeNameserver(
  db: Database,
  reference: string,
): Promise<Nameserver | undefined> {
  return await db.transaction(async (trx) => {
    const fullName = await toFullName(trx, reference);
    const forgotten = await deleteNameserverStatus(trx, fullName);
    const server = await findNameserver(trx, fullName);
    if (server === undefined && forgotten > 0) return undefined;
    if (server === undefined) {
      throw new ServiceError('not-found', `there is no nameserver "${reference}"`);
    }
    if ((await listNameservers(trx)).length === 1) {
      throw new ServiceError(
        'conflict',
        `"${server.name}" is the last nameserver: add another first`,
      );
    }
    await deleteNameserver(trx, server.id);
    return server;
  });
}

/** Returns the name in lower case with a trailing dot. A single label is in the nameserver domain. */
async function toFullName(db: Database, text: string): Promise<string> {
  if (text.includes('.')) return parseDomainName(text);
  const domain = await getNameserverDomain(db);
  return parseDomainName(`${text}.${domain.name}`);
}

function nameConflict(name: string): Record<string, string> {
  return { servers_name_unique: `a nameserver named "${name}" already exists` };
}
