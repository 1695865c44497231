import { randomInt } from 'node:crypto';
import { ServiceError } from '@zonewright/service-kit';

/**
 * Characters of generated passwords, without those that look alike: people sometimes type such a password.
 */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
/** Number of characters: 24 of 57 have 139 bits. */
const GENERATED_LENGTH = 24;
/** Maximum size, to limit the work of hashing. It is far above what password managers generate. */
const MAX_PASSWORD_BYTES = 1024;

export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
}

/** Minimum length of a password that a person chooses (NIST SP 800-63B s5.1.1.2). */
const LEAST_CHARACTERS = 8;

/**
 * Checks a password that a person chose. Short ones, and the user's own name, could be guessed within the limit of
 * failed logins. `remedy` is appended to the error.
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
    `a password must have at least ${LEAST_CHARACTERS} characters and must differ from the user name${remedy}`,
  );
}

/**
 * Checks whether a password can be stored. Its quality is not checked, since accounts from other systems keep their
 * passwords.
 *
 * @throws ServiceError invalid
 */
export function parsePassword(text: string): string {
  if (text === '') throw new ServiceError('invalid', 'the password must not be empty');
  if (Buffer.byteLength(text) > MAX_PASSWORD_BYTES) {
    throw new ServiceError('invalid', `a password must have at most ${MAX_PASSWORD_BYTES} bytes`);
  }
  return text;
}
