import { randomBytes, randomInt } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

/** Identity API s2: keyLength in bits. */
const MIN_KEY_LENGTH = 64;
const MAX_KEY_LENGTH = 512;
export const DEFAULT_KEY_LENGTH = 240;

/** Decisions 2: an access key's id is 20 characters of A-Z0-9. */
const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const ID_LENGTH = 20;

/** The algorithms that a key can be created for (decisions 2); an import may name any other. */
export const ALGORITHMS = [
  'HmacSHA1',
  'HmacSHA224',
  'HmacSHA256',
  'HmacSHA384',
  'HmacSHA512',
] as const;
export const DEFAULT_ALGORITHM = 'HmacSHA256';

/** A new access key id. */
export function generateAccessKeyId(): string {
  return Array.from({ length: ID_LENGTH }, () =>
    ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length)),
  ).join('');
}

/**
 * A new secret key: keyLength / 8 random octets in base64 without padding (decisions 2).
 *
 * @throws ServiceError invalid
 */
export function generateSecretKey(keyLength: number): string {
  if (keyLength < MIN_KEY_LENGTH || keyLength > MAX_KEY_LENGTH || keyLength % 8 !== 0) {
    throw new ServiceError(
      'invalid',
      `the key length must be a multiple of 8 from ${MIN_KEY_LENGTH} to ${MAX_KEY_LENGTH} bits`,
    );
  }
  return randomBytes(keyLength / 8)
    .toString('base64')
    .replace(/=+$/, '');
}
