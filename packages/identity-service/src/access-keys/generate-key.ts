import { randomBytes, randomInt } from 'node:crypto';

const ID_LENGTH = 20;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A new access key id: 20 characters of A-Z0-9. */
export function generateAccessKeyId(): string {
  return Array.from({ length: ID_LENGTH }, () =>
    ID_CHARACTERS.charAt(randomInt(ID_CHARACTERS.length)),
  ).join('');
}

/** A new secret of `keyLength` bits in standard base64 without padding (240 bits: 40 characters). */
export function generateSecretKey(keyLength: number): string {
  return randomBytes(keyLength / 8)
    .toString('base64')
    .replace(/=+$/, '');
}
