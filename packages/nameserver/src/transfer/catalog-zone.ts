import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import type { ZoneContent } from '../image/zone-content.js';

/** Nobody keeps what a catalog says: it is not for resolvers (RFC 9432 s4.1). */
const TTL = 0;

/**
 * The catalog of a peer's zones (RFC 9432 s4). The label of a member is the zone's id: a zone that is deleted and made again
 * is another one, and a consumer starts afresh with it (s5.4).
 */
export function buildCatalog(
  name: string,
  serial: number,
  members: readonly { readonly id: string; readonly name: string }[],
): ZoneContent {
  const apex = nameToWire(name);
  const soa = `invalid. invalid. ${serial} 60 60 1209600 0`;
  const record = (owner: Uint8Array, type: 'SOA' | 'NS' | 'TXT' | 'PTR', data: string) => ({
    ...{ owner, type: RR_TYPE[type], ttl: TTL, rdata: rdataToWire(type, data, null) },
  });
  return {
    apex,
    serial,
    records: [
      record(apex, 'SOA', soa),
      record(apex, 'NS', 'invalid.'),
      record(nameToWire(`version.${name}`), 'TXT', '"2"'),
      ...members.map(({ id, name: member }) =>
        record(nameToWire(`${id.replaceAll('-', '')}.zones.${name}`), 'PTR', member),
      ),
    ],
  };
}
