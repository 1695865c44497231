import { nameToWire, typeNumber } from '@zonewright/dns-records';
import type { FeedRecord, FeedServers, FeedZone } from '@zonewright/database';
import type { ZoneContent, ZoneRecord } from '../image/zone-content.js';
import { buildApexRecords, type SoaTimes } from './apex-records.js';
import { buildServerRecords } from './server-records.js';

/** What zones take from elsewhere than their own rows. */
export interface ZoneEnvironment {
  readonly servers: FeedServers;
  readonly times: SoaTimes;
  /** TTL of the servers' addresses and of the nameserver domain's own records. */
  readonly nameserverDomainTtl: number;
}

/** A user's zone as it is answered from: its records, and those that the service provides. */
export function buildUserZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  environment: ZoneEnvironment,
): ZoneContent {
  const apex = nameToWire(zone.name);
  const apexRecords = buildApexRecords({
    apex,
    email: zone.email,
    serial: zone.serial,
    ttl: zone.ttl,
    servers: environment.servers.servers,
    times: environment.times,
  });
  return {
    apex,
    serial: zone.serial,
    records: concatenate(apexRecords, toZoneRecords(records, zone.ttl)),
  };
}

/** The domain in which the nameservers stand, as long as no user has a zone of that name. */
export function buildNameserverZone(
  domain: NonNullable<FeedServers['domain']>,
  leastSerial: number,
  environment: ZoneEnvironment,
): ZoneContent {
  const apex = nameToWire(domain.name);
  const serial = Math.max(domain.serial, leastSerial);
  const { servers } = environment.servers;
  const ttl = environment.nameserverDomainTtl;
  const apexRecords = buildApexRecords({
    apex,
    email: domain.email,
    serial,
    ttl,
    servers,
    times: environment.times,
  });
  return {
    apex,
    serial,
    records: [...apexRecords, ...buildServerRecords(domain.name, servers, ttl)],
  };
}

/**
 * A user's zone whose name is the nameserver domain, say the operator's own: both are answered. At the names of the
 * servers the servers table alone decides, since every other zone hangs on them.
 */
export function buildSharedZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  leastSerial: number,
  environment: ZoneEnvironment,
): ZoneContent {
  const { servers, domain } = environment.servers;
  const serverNames = new Set(servers.map(({ name }) => name));
  const serial = Math.max(zone.serial, domain?.serial ?? 0, leastSerial);
  const content = buildUserZone(
    { ...zone, serial },
    records.filter(({ name }) => !serverNames.has(name)),
    environment,
  );
  const ownRecords = buildServerRecords(zone.name, servers, environment.nameserverDomainTtl);
  return { ...content, records: concatenate(content.records, ownRecords) };
}

function* concatenate(...parts: Iterable<ZoneRecord>[]): Iterable<ZoneRecord> {
  for (const part of parts) yield* part;
}

/**
 * Records of one owner share its octets: they come owner by owner, and the compiler looks for that. One by one, since
 * there may be very many.
 */
function* toZoneRecords(records: Iterable<FeedRecord>, zoneTtl: number): Iterable<ZoneRecord> {
  let ownerName = '';
  let owner: Uint8Array = new Uint8Array(0);
  for (const record of records) {
    if (record.name !== ownerName) {
      ownerName = record.name;
      owner = nameToWire(ownerName);
    }
    const type = typeNumber(record.type);
    if (type === undefined) throw new Error(`There is no record type ${record.type}.`);
    yield { owner, type, ttl: record.ttl ?? zoneTtl, rdata: record.rdata };
  }
}
