import { RR_TYPE } from '../types/rr-type.js';

const SIGNING_TYPES: ReadonlySet<number> = new Set([
  RR_TYPE.RRSIG,
  RR_TYPE.NSEC,
  RR_TYPE.NSEC3,
  RR_TYPE.NSEC3PARAM,
  RR_TYPE.DNSKEY,
  RR_TYPE.CDS,
  RR_TYPE.CDNSKEY,
]);

/**
 * Whether only the signer of a zone writes records of a type. Rows of such types are what an earlier, external signer left behind. They
 * are neither signed nor answered in a zone that is signed here.
 */
export function isSigningType(type: number): boolean {
  return SIGNING_TYPES.has(type);
}
