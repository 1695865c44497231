import { RR_TYPE } from '@zonewright/dns-records';

import { LookupName, readLookupName } from './lookup-name.js';

/** Result of `rdataNameOffset` for types without a name that this server reads. */
export const NO_NAME = -1;

/** Returns the offset of the (first) name in the rdata of a type (RFC 1035 s3.3, RFC 2782). */
export function rdataNameOffset(type: number): number {
  switch (type) {
    case RR_TYPE.NS:
    case RR_TYPE.CNAME:
    case RR_TYPE.DNAME:
    case RR_TYPE.PTR:
    case RR_TYPE.SOA:
      return 0;
    case RR_TYPE.MX:
      return 2;
    case RR_TYPE.SRV:
      return 6;
    default:
      return NO_NAME;
  }
}

/** Offset of the three strings after order and preference; the replacement follows them (RFC 3403 s4.1). */
const NAPTR_STRINGS_OFFSET = 4;
const NAPTR_STRINGS = 3;
const SVCB_TARGET_OFFSET = 2;

/** Returns the offset of the name whose addresses are added to the response. The rdata is from `start` to `end`. */
export function targetOffset(type: number, octets: Uint8Array, start: number, end: number): number {
  switch (type) {
    case RR_TYPE.SVCB:
    case RR_TYPE.HTTPS:
      return start + SVCB_TARGET_OFFSET;
    case RR_TYPE.NAPTR: {
      let at = start + NAPTR_STRINGS_OFFSET;
      for (let left = NAPTR_STRINGS; left > 0 && at < end; left--) at += 1 + octets[at]!;
      return at;
    }
    default:
      return start + rdataNameOffset(type);
  }
}

/** Object into which hasWellFormedNames() reads names, since it is called for each record of each zone. */
const checkedName = new LookupName();

/**
 * Whether the names in the rdata are well-formed. It is checked when a zone is loaded, so that responses can copy from
 * the image unchecked.
 */
export function hasWellFormedNames(type: number, rdata: Uint8Array): boolean {
  let at = rdataNameOffset(type);
  for (let left = rdataNameCount(type); left > 0; left--) {
    at = readLookupName(checkedName, rdata, at, rdata.length);
    if (at === -1) return false;
  }
  return true;
}

/** Returns the number of names in the rdata. SOA has two: MNAME and RNAME (RFC 1035 s3.3.13). */
export function rdataNameCount(type: number): number {
  if (type === RR_TYPE.SOA) return 2;
  return rdataNameOffset(type) === NO_NAME ? 0 : 1;
}

/**
 * Whether names in the rdata may be compressed: only those of RFC 1035's types (RFC 3597 s4), so never those of SRV and
 * DNAME (RFC 6672 s2.5).
 */
export function isRdataNameCompressible(type: number): boolean {
  if (type === RR_TYPE.SRV || type === RR_TYPE.DNAME) return false;
  return rdataNameOffset(type) !== NO_NAME;
}
