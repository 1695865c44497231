import type { Timestamp } from '../sql/timestamps.js';

/** HMAC-MD5 is never accepted (RFC 8945 s6). */
export const TSIG_ALGORITHMS = [
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;

/** A key by which transfers of zones are signed (RFC 8945), but for its secret. */
export interface TsigKey {
  readonly id: string;
  readonly name: string;
  readonly algorithm: (typeof TSIG_ALGORITHMS)[number];
  /** For all zones, or for one of them. */
  readonly scope: 'POOL' | 'ZONE';
  /** The pool or the zone. */
  readonly resourceId: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}
