import { wireToName } from '@zonewright/dns-records';

/** As a zone file; types by number and rdata as it is (RFC 3597 s5), which every program reads. */
export function toZoneText(
  records: Iterable<{ owner: Uint8Array; type: number; ttl: number; rdata: Uint8Array }>,
): string {
  return Array.from(records, ({ owner, type, ttl, rdata }) => {
    const hex = Buffer.from(rdata).toString('hex');
    return `${wireToName(owner)} ${ttl} IN TYPE${type} \\# ${rdata.length} ${hex}\n`;
  }).join('');
}
