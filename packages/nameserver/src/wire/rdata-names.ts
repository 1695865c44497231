import { RR_TYPE } from '@zonewright/dns-records';

import { LookupName, readLookupName } from './lookup-name.js';

/** What `rdataNameOffset` returns for types whose rdata holds no name this server looks at. */
export const NO_NAME = -1;

/** Where in the rdata of a type its (first) name begins (RFC 1035 s3.3, RFC 2782). */
export function rdataNameOffset(type: number): number {
  switch (type) {
    case RR_TYPE.NS:
    case RR_TYPE.CNAME:
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

/** What hasWellFormedNames() reads into, as it is called for each record of each zone. */
const checkedName = new LookupName();

/** Do the names in the rdata parse? For loading: what answers copy from the image is trusted. */
export function hasWellFormedNames(type: number, rdata: Uint8Array): boolean {
  let at = rdataNameOffset(type);
  for (let left = rdataNameCount(type); left > 0; left--) {
    at = readLookupName(checkedName, rdata, at, rdata.length);
    if (at === -1) return false;
  }
  return true;
}

/** SOA has two: MNAME and RNAME (RFC 1035 s3.3.13). */
export function rdataNameCount(type: number): number {
  if (type === RR_TYPE.SOA) return 2;
  return rdataNameOffset(type) === NO_NAME ? 0 : 1;
}

/** Only names in rdata that RFC 1035 defines may be compressed (RFC 3597 s4); so never SRV's. */
export function isRdataNameCompressible(type: number): boolean {
  return type !== RR_TYPE.SRV && rdataNameOffset(type) !== NO_NAME;
}
