import { isAtOrBelow, nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import type { FeedServers } from '@zonewright/database';
import type { ZoneRecord } from '../image/zone-content.js';

/** A and AAAA records of the servers in `domainName`. Addresses of others belong to other zones. */
export function buildServerRecords(
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
