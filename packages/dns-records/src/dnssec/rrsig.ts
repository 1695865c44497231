import { lowerCaseOctets } from '../wire/octets.js';
import {
  concatOctets,
  readUint16,
  readUint32,
  uint16sToOctets,
  uint32sToOctets,
  writeUint16,
  writeUint32,
} from '../wire/octets.js';
import { nameEnd } from '../wire/wire-to-name.js';
import { RR_CLASS } from '../values/rr-type.js';
import { canonicalRdatas, type Rrset } from './canonical.js';

/**
 * Fields of RRSIG that the signer chooses. The others follow from the RRset (RFC 4034 s3.1). Times are in seconds since
 * 1970.
 */
export interface SignatureTerms {
  readonly algorithm: number;
  readonly keyTag: number;
  /** Apex of the zone in wire form. */
  readonly signerName: Uint8Array;
  readonly inception: number;
  readonly expiration: number;
}

/** Parsed RRSIG. */
export interface Rrsig extends SignatureTerms {
  readonly typeCovered: number;
  readonly labels: number;
  readonly originalTtl: number;
  readonly signature: Uint8Array;
}

/** Octets that are prepared for signing. Keys accept no others. */
export type OctetsToSign = Uint8Array & { readonly isToBeSigned: true };

const FIXED_OCTETS = 18;
/** Size of type, class, TTL and RDLENGTH. */
const RECORD_OCTETS = 10;
const WILDCARD_LABEL = [1, 0x2a];

/**
 * Returns the rdata of RRSIG without the signature. It is the first part of the signed data, and the signature is
 * appended to it.
 */
export function rrsigHead(owner: Uint8Array, rrset: Rrset, terms: SignatureTerms): Uint8Array {
  return concatOctets([
    uint16sToOctets(rrset.type),
    Uint8Array.of(terms.algorithm, labelsOf(owner)),
    uint32sToOctets(rrset.ttl, terms.expiration, terms.inception),
    uint16sToOctets(terms.keyTag),
    lowerCaseOctets(terms.signerName),
  ]);
}

/**
 * Returns the signed data (RFC 4034 s3.1.8.1): signature = sign(RRSIG_RDATA | RR(1) | RR(2) ...), RR(i) = owner | type
 * | class | TTL | RDLENGTH | RDATA
 */
export function octetsToSign(head: Uint8Array, owner: Uint8Array, rrset: Rrset): OctetsToSign {
  const name = lowerCaseOctets(owner);
  const rdatas = canonicalRdatas(rrset);
  const length = rdatas.reduce(
    (sum, rdata) => sum + name.length + RECORD_OCTETS + rdata.length,
    head.length,
  );
  const octets = new Uint8Array(length);
  octets.set(head);
  let at = head.length;
  for (const rdata of rdatas) {
    octets.set(name, at);
    at = writeUint16(octets, rrset.type, at + name.length);
    at = writeUint16(octets, RR_CLASS.IN, at);
    at = writeUint32(octets, rrset.ttl, at);
    at = writeUint16(octets, rdata.length, at);
    octets.set(rdata, at);
    at += rdata.length;
  }
  return octets as OctetsToSign;
}

/** @throws NameSyntaxError */
export function rrsigFromWire(rdata: Uint8Array): Rrsig {
  const end = nameEnd(rdata, FIXED_OCTETS);
  return {
    typeCovered: readUint16(rdata, 0),
    algorithm: rdata[2]!,
    labels: rdata[3]!,
    originalTtl: readUint32(rdata, 4),
    expiration: readUint32(rdata, 8),
    inception: readUint32(rdata, 12),
    keyTag: readUint16(rdata, 16),
    signerName: rdata.subarray(FIXED_OCTETS, end),
    signature: rdata.subarray(end),
  };
}

/** Returns the type that an RRSIG covers. */
export function typeCoveredBy(rdata: Uint8Array): number {
  return readUint16(rdata, 0);
}

/** Counts labels without the root and without a wildcard's asterisk (RFC 4034 s3.1.3). */
function labelsOf(owner: Uint8Array): number {
  let labels = 0;
  for (let at = 0; owner[at]! > 0; at += 1 + owner[at]!) labels += 1;
  return WILDCARD_LABEL.every((octet, at) => owner[at] === octet) ? labels - 1 : labels;
}
