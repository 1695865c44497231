import { randomBytes, randomInt } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

/** Algorithms that a key can be made for (D-ACC); imports may name any other. */
export const ACCESS_KEY_ALGORITHMS = [
  'HmacSHA1',
  'HmacSHA224',
  'HmacSHA256',
  'HmacSHA384',
  'HmacSHA512',
] as const;
export const DEFAULT_ACCESS_KEY_ALGORITHM = 'HmacSHA256';

/** Identity s2: bits. */
export const ACCESS_KEY_LENGTH = { minimum: 64, maximum: 512, default: 240 } as const;

/** The length that clients of that time allow for. */
const ID_LENGTH = 20;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A new access key id: 20 characters of A-Z0-9. */
export function generateAccessKeyId(): string {
  return Array.from({ length: ID_LENGTH }, () =>
    ID_CHARACTERS.charAt(randomInt(ID_CHARACTERS.length)),
  ).join('');
}

/** Whether a key can be made that long: its octets are whole (D-ACC). */
export function isAccessKeyLength(bits: number): boolean {
  const { minimum, maximum } = ACCESS_KEY_LENGTH;
  return bits >= minimum && bits <= maximum && bits % 8 === 0;
}

/**
 * A new secret of `keyLength` bits in standard base64 without padding (240 bits: 40 characters).
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

/** The row identities under which secret columns are sealed (Keyring.seal): one rule for all who write them. */
export const secretIdentity = {
  accessKey: (accessKeyId: string) => `identity.access_keys.secret:${accessKeyId}`,
  /**
   * Identity of a key with restrictions. A version that does not support restrictions cannot open it. No change of the
   * row makes it a key without them (ADR 0027).
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
