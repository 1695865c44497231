import { randomInt } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

/** Without characters that look alike in some typeface: a generated password is sometimes typed. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
/** 24 of 57 characters: 139 bits. */
const GENERATED_LENGTH = 24;
/** Bounds the work of hashing; far above what any password manager makes. */
const MAX_PASSWORD_BYTES = 1024;

/** A new random password. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
}

/** NIST SP 800-63B s5.1.1.2: the least that a person may choose. */
const LEAST_CHARACTERS = 8;

/**
 * A password that somebody chose. Short ones, and the user's own name, are guessed within the budget of failed log-ins.
 * `remedy` follows upon what is said of such a one.
 *
 * @throws ServiceError invalid
 */
export function parseChosenPassword(text: string, userName: string, remedy = ''): string {
  const password = parsePassword(text);
  const isWeak =
    Array.from(password).length < LEAST_CHARACTERS ||
    password.toLowerCase() === userName.toLowerCase();
  if (!isWeak) return password;
  throw new ServiceError(
    'invalid',
    `a password has ${LEAST_CHARACTERS} characters or more and is not the user's name${remedy}`,
  );
}

/**
 * A password as it may be stored. Its quality is not judged: accounts move in with the passwords they have.
 *
 * @throws ServiceError invalid
 */
export function parsePassword(text: string): string {
  if (text === '') throw new ServiceError('invalid', 'the password must not be empty');
  if (Buffer.byteLength(text) > MAX_PASSWORD_BYTES) {
    throw new ServiceError('invalid', `a password may have ${MAX_PASSWORD_BYTES} octets at most`);
  }
  return text;
}
