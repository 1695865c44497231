import { MAX_TTL_SECONDS, RR_TYPE } from '@zonewright/dns-records';

import { lowerCase } from '../wire/lookup-name.js';
import { readUint16 } from '../wire/octets.js';
import { NO_NAME, rdataNameOffset } from '../wire/rdata-names.js';

/** Records of one owner and type, while a zone is compiled. */
export interface Rrset {
  readonly type: number;
  /** Type that an RRSIG signs; the RRSIGs for each type form a separate RRset (RFC 4034 s3). 0 for other types. */
  readonly covers: number;
  ttl: number;
  rdatas: Uint8Array[];
}

/** Adds a record. An RRset has one TTL, the lowest (RFC 2181 s5.2). A TTL above 2^31-1 counts as 0 (RFC 2181 s8). */
export function addToRrset(rrset: Rrset, ttl: number, rdata: Uint8Array): void {
  rrset.ttl = Math.min(rrset.ttl, ttl > MAX_TTL_SECONDS ? 0 : ttl);
  rrset.rdatas.push(rdata);
}

export function newRrset(type: number, covers = 0): Rrset {
  return { type, covers, ttl: MAX_TTL_SECONDS, rdatas: [] };
}

/** Returns the type that an RRSIG signs (RFC 4034 s3.1.1), or 0 for other types. */
export function coveredType(type: number, rdata: Uint8Array): number {
  return type === RR_TYPE.RRSIG ? readUint16(rdata, 0) : 0;
}

/** Sorts RRsets by type, each RRSIG after the RRset that it signs. */
export function compareRrsets(a: Rrset, b: Rrset): number {
  return (a.covers || a.type) - (b.covers || b.type) || a.covers - b.covers;
}

/** Removes duplicates (RFC 2181 s5), ignoring the case of names in rdata. */
export function removeDuplicates(rrset: Rrset): void {
  if (rrset.rdatas.length === 1) return;
  const byContent = new Map<string, Uint8Array>();
  for (const rdata of rrset.rdatas) {
    const content = contentOf(rrset.type, rdata);
    if (!byContent.has(content)) byContent.set(content, rdata);
  }
  rrset.rdatas = [...byContent.values()];
}

function contentOf(type: number, rdata: Uint8Array): string {
  const nameOffset = rdataNameOffset(type);
  // Rdata of these types ends with a name. SOA is excluded, since a zone has only one.
  const comparable =
    nameOffset === NO_NAME
      ? rdata
      : rdata.map((octet, at) => (at < nameOffset ? octet : lowerCase(octet)));
  return Buffer.from(comparable).toString('latin1');
}
