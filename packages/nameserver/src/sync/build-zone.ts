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

/** Content of the nameserver domain beside its own row. */
export interface NameserverDomainContent {
  readonly servers: FeedServers;
  readonly settings: ServiceSettings;
}

/** A user's zone as it is answered from: its records, and those that the service provides where no primary does. */
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
 * A signed zone: the signed names of it in canonical order, and its records. An RRset that is stored with a signed name is complete.
 * Records of its name and type are left out, since another set would not be the one that was signed.
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

/** The two ways in which names of a zone are told. */
export function nameFormsOf(zoneName: string): NameForms {
  const apex = nameToWire(zoneName);
  return {
    toKey: (name) => Buffer.from(canonicalKey(nameToWire(name), apex), 'latin1'),
    toName: (key) => wireToName(nameOfKey(key.toString('latin1'), apex)),
  };
}

/** Latest content of the apex of all zones. */
export function latestApex({ servers, settings }: NameserverDomainContent): FeedApex {
  return { servers: servers.servers.map(({ name }) => name), soa: settings.soa };
}

/** The domain in which the nameservers stand, as long as no user has a zone of that name. */
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
 * A user's zone whose name is the nameserver domain, say the operator's own: both are answered. At the names of the
 * servers the servers table alone decides, since every other zone hangs on them. The serial of the domain rises with each
 * change of either.
 */
export function buildSharedZone(
  zone: FeedZone,
  records: readonly FeedRecord[],
  leastSerial: number,
  content: NameserverDomainContent,
): ZoneContent {
  // Its serial, and the records at the names of the servers, differ from what was signed.
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

/** Records that the service provides at the apex. */
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

/** A and AAAA records of the servers in `domainName`. Addresses of others belong to other zones. */
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
