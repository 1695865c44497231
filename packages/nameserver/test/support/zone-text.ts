import { wireToName } from '@zonewright/dns-records';

/**
 * Writes records as a zone file, with types by number and data as octets (RFC 3597, section 5), which every program can
 * read.
 */
export function toZoneText(
  records: Iterable<{ owner: Uint8Array; type: number; ttl: number; rdata: Uint8Array }>,
): string {
  return Array.from(records, ({ owner, type, ttl, rdata }) => {
    const hex = Buffer.from(rdata).toString('hex');
    return `${wireToName(owner)} ${ttl} IN TYPE${type} \\# ${rdata.length} ${hex}\n`;
  }).join('');
}
