import type {
  FeedApex,
  FeedRecord,
  FeedServers,
  FeedSignedName,
  FeedZone,
  NameForms,
  ServiceSettings,
} from '@zonewright/database';
import {
  type ApexContent,
  apexRecords,
  isAtOrBelow,
  nameToWire,
  rdataToWire,
  RR_TYPE,
  typeNumber,
  wireToName,
} from '@zonewright/dns-records';
import {
  canonicalKey,
  isSigningType,
  nameOfKey,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import type { ZoneContent, ZoneRecord } from '../compile/zone-tree.js';

/** Content of the nameserver domain in addition to its row. */
export interface NameserverDomainContent {
  readonly servers: FeedServers;
  readonly settings: ServiceSettings;
}

/** Builds a user's zone: its records, and the managed ones if it has no primaries. */
export function buildUserZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  provided: FeedApex,
): ZoneContent {
  const apex = nameToWire(zone.name);
  const { email, serial, ttl, secondary } = zone;
  if (secondary === 'withheld') return { apex, serial, records: [], isWithheld: true };
  if (secondary === 'answered') {
    const isSigned = records.some(({ name, type }) => name === zone.name && isOfDenial(type));
    return { apex, serial, isSigned, isForeign: true, records: toZoneRecords(records, ttl) };
  }
  const own = ownRecords(apex, ttl, { email, serial, ...provided });
  return { apex, serial, records: concatenate(own, toZoneRecords(records, ttl)) };
}

/**
 * Builds a signed zone from its records and its signed names in canonical order. An RRset that is stored with a signed
 * name is complete. Records of its name and type are omitted, since another set would not be the signed one.
 */
export function buildSignedZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  names: Iterable<FeedSignedName>,
): ZoneContent {
  const apex = nameToWire(zone.name);
  const { serial } = zone;
  return { apex, serial, isSigned: true, records: signedRecords() };

  function* signedRecords(): Iterable<ZoneRecord> {
    const kept = new Set<string>();
    for (const { canonical, records: octets } of names) {
      const owner = nameOfKey(canonical.toString('latin1'), apex);
      for (const record of signedRecordsFromOctets(octets)) {
        if (!isSigningType(record.type)) kept.add(keptKey(owner, record.type));
        yield { owner, ...record };
      }
    }
    for (const record of toZoneRecords(records, zone.ttl)) {
      if (isSigningType(record.type)) continue;
      if (!kept.has(keptKey(record.owner, record.type))) yield record;
    }
  }
}

/** Whether a type at the apex shows that a primary has signed the zone, with NSEC or NSEC3. */
function isOfDenial(type: string): boolean {
  const number = typeNumber(type);
  return number === RR_TYPE.NSEC || number === RR_TYPE.NSEC3PARAM;
}

function keptKey(owner: Uint8Array, type: number): string {
  return `${type} ${Buffer.from(owner).toString('latin1')}`;
}

/** Returns the two forms in which names of a zone are given. */
export function nameFormsOf(zoneName: string): NameForms {
  const apex = nameToWire(zoneName);
  return {
    toKey: (name) => Buffer.from(canonicalKey(nameToWire(name), apex), 'latin1'),
    toName: (key) => wireToName(nameOfKey(key.toString('latin1'), apex)),
  };
}

/** Returns the latest managed apex records, which are the same for all zones. */
export function latestApex({ servers, settings }: NameserverDomainContent): FeedApex {
  return { servers: servers.servers.map(({ name }) => name), soa: settings.soa };
}

/** Builds the domain that contains the nameservers, if no user has a zone with that name. */
export function buildNameserverZone(
  domain: NonNullable<FeedServers['domain']>,
  leastSerial: number,
  content: NameserverDomainContent,
): ZoneContent {
  const apex = nameToWire(domain.name);
  const serial = Math.max(domain.serial, leastSerial);
  const ttl = content.settings.nameserverDomainTtlSeconds;
  const { email } = domain;
  const own = ownRecords(apex, ttl, { email, serial, ...latestApex(content) });
  return {
    apex,
    serial,
    records: [...own, ...buildServerRecords(domain.name, content.servers.servers, ttl)],
  };
}

/**
 * Builds the zone if a user's zone has the name of the nameserver domain, for example the operator's own. Both contents
 * are served. At the names of the servers, only the servers table decides, since every other zone depends on them. The
 * serial of the domain increases with each change of either.
 */
export function buildSharedZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  leastSerial: number,
  content: NameserverDomainContent,
): ZoneContent {
  // The serial, and the records at the names of the servers, differ from the signed ones.
  if (zone.isSigned === true) throw new Error('The nameserver domain cannot be signed.');
  const { servers, domain } = content.servers;
  const serverNames = new Set(servers.map(({ name }) => name));
  const serial = Math.max(zone.serial, domain?.serial ?? 0, leastSerial);
  const shared = buildUserZone(
    { ...zone, serial },
    records.filter(({ name }) => !serverNames.has(name)),
    latestApex(content),
  );
  const addresses = buildServerRecords(
    zone.name,
    servers,
    content.settings.nameserverDomainTtlSeconds,
  );
  return { ...shared, records: concatenate(shared.records, addresses) };
}

/** Returns the managed records at the apex. */
function ownRecords(apex: Uint8Array, ttl: number, content: ApexContent): ZoneRecord[] {
  return apexRecords(content).map(({ type, data }) => ({
    owner: apex,
    type: RR_TYPE[type],
    ttl,
    rdata: rdataToWire(type, data, null),
  }));
}

function* concatenate(...parts: Iterable<ZoneRecord>[]): Iterable<ZoneRecord> {
  for (const part of parts) yield* part;
}

/**
 * Yields records. All records of an owner share its octets: they arrive owner by owner, and the compiler uses that.
 * They are converted one by one, since there may be very many.
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

/** Builds A and AAAA records of the servers in `domainName`. Addresses of others belong to other zones. */
function buildServerRecords(
  domainName: string,
  servers: FeedServers['servers'],
  ttl: number,
): ZoneRecord[] {
  return servers
    .filter(({ name }) => isAtOrBelow(name, domainName))
    .flatMap(({ name, ipv4, ipv6 }) => {
      const owner = nameToWire(name);
      return [
        ...(ipv4 === null
          ? []
          : [{ owner, type: RR_TYPE.A, ttl, rdata: rdataToWire('A', ipv4, null) }]),
        ...(ipv6 === null
          ? []
          : [{ owner, type: RR_TYPE.AAAA, ttl, rdata: rdataToWire('AAAA', ipv6, null) }]),
      ];
    });
}
