import { createHash } from 'node:crypto';
import { lowerCaseOctets } from '../wire/octets.js';
import { concatOctets, uint16sToOctets } from '../wire/octets.js';

/** A zone's key as DNSKEY has it. */
export interface PublicKey {
  /** 257: it signs the zone, and DS leads to it (RFC 4034 s2.1.1). */
  readonly flags: number;
  readonly algorithm: number;
  /** In the encoding of its algorithm (RFC 6605 s4, RFC 8080 s3). */
  readonly publicKey: Uint8Array;
}

/** Zone key and secure entry point: a combined signing key. */
export const CSK_FLAGS = 257;
/** Zone key: it signs data, and no DS leads to it. */
export const ZSK_FLAGS = 256;

const PROTOCOL = 3;

/** Digest types of DS (RFC 4509, RFC 6605 s2). */
export const DIGEST_TYPES = { sha256: 2, sha384: 4 } as const;
type DigestType = (typeof DIGEST_TYPES)[keyof typeof DIGEST_TYPES];
const HASHES: Readonly<Record<DigestType, string>> = { 2: 'sha256', 4: 'sha384' };

/** Rdata of DNSKEY, and of CDNSKEY (RFC 7344 s3.2). */
export function dnskeyToWire({ flags, algorithm, publicKey }: PublicKey): Uint8Array {
  return concatOctets([uint16sToOctets(flags), Uint8Array.of(PROTOCOL, algorithm), publicKey]);
}

/** DNSKEY as zone files have it (RFC 4034 s2.2); undefined: it is none. */
export function dnskeyFromText(text: string): PublicKey | undefined {
  const [, flags, algorithm, key = ''] =
    /^\s*(\d{1,5})\s+3\s+(\d{1,3})\s+([A-Za-z0-9+/=\s]+)$/.exec(text) ?? [];
  const publicKey = Buffer.from(key, 'base64');
  if (publicKey.length === 0 || Number(flags) > 0xffff || Number(algorithm) > 0xff)
    return undefined;
  return { flags: Number(flags), algorithm: Number(algorithm), publicKey };
}

/** RFC 4034 appendix B. */
export function keyTagOf(key: PublicKey): number {
  let sum = 0;
  dnskeyToWire(key).forEach((octet, at) => {
    sum += at % 2 === 0 ? octet << 8 : octet;
  });
  return (sum + (sum >> 16)) & 0xffff;
}

/** Rdata of DS, and of CDS, for the key of the zone `owner`: digest(owner | DNSKEY) (RFC 4034 s5.1.4). */
export function dsToWire(owner: Uint8Array, key: PublicKey, digestType: DigestType): Uint8Array {
  const digest = createHash(HASHES[digestType])
    .update(lowerCaseOctets(owner))
    .update(dnskeyToWire(key))
    .digest();
  const head = Uint8Array.of(key.algorithm, digestType);
  return concatOctets([uint16sToOctets(keyTagOf(key)), head, digest]);
}

/** "Delete the DS" (RFC 8078 s4): of CDS, and of CDNSKEY. */
export const CDS_DELETE = Uint8Array.of(0, 0, 0, 0, 0);
export const CDNSKEY_DELETE = Uint8Array.of(0, 0, 3, 0, 0);
