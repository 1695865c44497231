import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Base32 (RFC 4648 s6): people read keys to each other. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 120 bits: nobody guesses it, so its digest needs no salt and no slow hash. */
const KEY_LETTERS = 24;

export function generateTransferKey(): string {
  return Array.from(randomBytes(KEY_LETTERS), (octet) => LETTERS.charAt(octet % 32)).join('');
}

export function digestTransferKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Takes as long whatever the key is. */
export function isTransferKey(key: string, digest: Buffer): boolean {
  return timingSafeEqual(digestTransferKey(key), digest);
}
