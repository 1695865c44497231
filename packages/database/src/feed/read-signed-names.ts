import type { Database } from '../connection/connection.js';
import { readInOrder, readRows } from './read-rows.js';

/** The records that the service stores at one name of a signed zone. */
export interface FeedSignedName {
  readonly domainId: string;
  /** The name below the apex, in a form whose octets sort in the order of RFC 4034, section 6.1. */
  readonly canonical: Buffer;
  /** The records in sequence, each as `[type 2][ttl 4][octets 2][rdata]`. */
  readonly records: Buffer;
}

export type SignedNameBatches =
  | AsyncIterable<readonly FeedSignedName[]>
  | Iterable<readonly FeedSignedName[]>;

/** SQL condition for a row of dns.zone_dnssec called `alias`: nameservers answer for the zone with signatures. */
export const isServedSigned = (alias: string) => `${alias}.state <> 'signing'`;

const SELECT =
  'select n.domain_id as "domainId", n.canonical, n.records from dns.signed_names as n';
const ORDER = 'order by n.domain_id, n.canonical';
const OF_DOMAINS = `${SELECT} where n.domain_id = any(?::uuid[]) ${ORDER}`;
const OF_DOMAIN = `${SELECT} where n.domain_id = ?::uuid ${ORDER}`;
const AT_NAMES = `${SELECT} where n.domain_id = ?::uuid and n.canonical = any(?::bytea[]) ${ORDER}`;

/** Reads all names of signed zones in batches, zone by zone in the order of their ids. */
export function readSignedNames(
  trx: Database,
  domainIds: readonly string[],
): AsyncGenerator<readonly FeedSignedName[], void> {
  return domainIds.length === 1
    ? readInOrder<FeedSignedName>(trx, OF_DOMAIN, domainIds)
    : readRows<FeedSignedName>(trx, OF_DOMAINS, [[...domainIds]]);
}

export async function readSignedNamesAt(
  trx: Database,
  domainId: string,
  keys: readonly Buffer[],
): Promise<FeedSignedName[]> {
  const { rows } = await trx.raw<{ rows: FeedSignedName[] }>(AT_NAMES, [domainId, [...keys]]);
  return rows;
}
