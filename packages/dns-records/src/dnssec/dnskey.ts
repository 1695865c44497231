import { createHash } from 'node:crypto';
import { lowerCaseOctets } from '../wire/octets.js';
import { concatOctets, uint16sToOctets } from '../wire/octets.js';

/** Key of a zone, in the form of DNSKEY. */
export interface PublicKey {
  /** Flags. A key with 257 signs the zone, and DS refers to it (RFC 4034 s2.1.1). */
  readonly flags: number;
  readonly algorithm: number;
  /** Public key in the encoding of its algorithm (RFC 6605 s4, RFC 8080 s3). */
  readonly publicKey: Uint8Array;
}

/** Flags of a combined signing key: zone key and secure entry point. */
export const CSK_FLAGS = 257;
/** Flags of a zone key, which signs data. No DS refers to it. */
export const ZSK_FLAGS = 256;

const PROTOCOL = 3;

/** Digest types of DS (RFC 4509, RFC 6605 s2). */
export const DIGEST_TYPES = { sha256: 2, sha384: 4 } as const;
type DigestType = (typeof DIGEST_TYPES)[keyof typeof DIGEST_TYPES];
const HASHES: Readonly<Record<DigestType, string>> = { 2: 'sha256', 4: 'sha384' };

/** Returns the rdata of DNSKEY and CDNSKEY (RFC 7344 s3.2). */
export function dnskeyToWire({ flags, algorithm, publicKey }: PublicKey): Uint8Array {
  return concatOctets([uint16sToOctets(flags), Uint8Array.of(PROTOCOL, algorithm), publicKey]);
}

/** Reads a DNSKEY in the syntax of zone files (RFC 4034 s2.2). Undefined if it is not one. */
export function dnskeyFromText(text: string): PublicKey | undefined {
  const [, flags, algorithm, key = ''] =
    /^\s*(\d{1,5})\s+3\s+(\d{1,3})\s+([A-Za-z0-9+/=\s]+)$/.exec(text) ?? [];
  const publicKey = Buffer.from(key, 'base64');
  if (publicKey.length === 0 || Number(flags) > 0xffff || Number(algorithm) > 0xff)
    return undefined;
  return { flags: Number(flags), algorithm: Number(algorithm), publicKey };
}

/** Returns the key tag (RFC 4034 appendix B). */
export function keyTagOf(key: PublicKey): number {
  let sum = 0;
  dnskeyToWire(key).forEach((octet, at) => {
    sum += at % 2 === 0 ? octet << 8 : octet;
  });
  return (sum + (sum >> 16)) & 0xffff;
}

/** Returns the rdata of DS and CDS for the key of the zone `owner`: digest(owner | DNSKEY) (RFC 4034 s5.1.4). */
export function dsToWire(owner: Uint8Array, key: PublicKey, digestType: DigestType): Uint8Array {
  const digest = createHash(HASHES[digestType])
    .update(lowerCaseOctets(owner))
    .update(dnskeyToWire(key))
    .digest();
  const head = Uint8Array.of(key.algorithm, digestType);
  return concatOctets([uint16sToOctets(keyTagOf(key)), head, digest]);
}

/** Rdata of CDS and CDNSKEY that requests the removal of the DS (RFC 8078 s4). */
export const CDS_DELETE = Uint8Array.of(0, 0, 0, 0, 0);
export const CDNSKEY_DELETE = Uint8Array.of(0, 0, 3, 0, 0);
