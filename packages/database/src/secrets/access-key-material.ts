import { randomBytes, randomInt } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

/** Algorithms for which a key can be created (D-ACC); imports may name others. */
export const ACCESS_KEY_ALGORITHMS = [
  'HmacSHA1',
  'HmacSHA224',
  'HmacSHA256',
  'HmacSHA384',
  'HmacSHA512',
] as const;
export const DEFAULT_ACCESS_KEY_ALGORITHM = 'HmacSHA256';

/** Lengths in bits (Identity API, section 2). */
export const ACCESS_KEY_LENGTH = { minimum: 64, maximum: 512, default: 240 } as const;

/** The id length that clients of the original service allow for. */
const ID_LENGTH = 20;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Creates a new access key id: 20 characters of A-Z0-9. */
export function generateAccessKeyId(): string {
  return Array.from({ length: ID_LENGTH }, () =>
    ID_CHARACTERS.charAt(randomInt(ID_CHARACTERS.length)),
  ).join('');
}

/** Returns whether a key can have this length, which must be a whole number of octets (D-ACC). */
export function isAccessKeyLength(bits: number): boolean {
  const { minimum, maximum } = ACCESS_KEY_LENGTH;
  return bits >= minimum && bits <= maximum && bits % 8 === 0;
}

/**
 * Creates a new secret of `keyLength` bits in standard base64 without padding (240 bits are 40 characters).
 *
 * @throws ServiceError invalid
 */
export function generateSecretKey(keyLength: number): string {
  if (!isAccessKeyLength(keyLength)) {
    const { minimum, maximum } = ACCESS_KEY_LENGTH;
    throw new ServiceError(
      'invalid',
      `the key length must be a multiple of 8 from ${minimum} to ${maximum} bits`,
    );
  }
  return randomBytes(keyLength / 8)
    .toString('base64')
    .replace(/=+$/, '');
}

/** The identities under which the secrets of rows are sealed (Keyring.seal), the same for all writers. */
export const secretIdentity = {
  accessKey: (accessKeyId: string) => `identity.access_keys.secret:${accessKeyId}`,
  /**
   * The identity of a key with restrictions. A version that does not support restrictions cannot open it, and no change
   * of the row turns it into a key without them (ADR 0027).
   */
  restrictedAccessKey: (accessKeyId: string) =>
    `identity.access_keys.secret:restricted:${accessKeyId}`,
  primaryKey: (domainId: string) => `dns.secondaries.secret:${domainId}`,
  peerKey: (peerId: string) => `dns.peers.secret:${peerId}`,
  transferKey: (transferId: string) => `dns.zone_transfers.key:${transferId}`,
  tsigKey: (keyId: string) => `dns.tsig_keys.secret:${keyId}`,
  zoneKey: (keyId: string) => `dns.zone_keys.secret:${keyId}`,
  signingKey: (keyId: string) => `identity.signing_keys.secret:${keyId}`,
} as const;
