import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with 19 MiB, two passes and one lane, the first choice of the OWASP Password Storage Cheat Sheet; it takes
 * about 20 ms of one core. The value 2 means Argon2id in the library's enum, which cannot be imported under
 * isolatedModules.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Returns the PHC string of a password, for identity.users.password_hash. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, PARAMETERS);
}

/** Returns whether `phc` was created from `password`; takes the same time in both cases. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  return await verify(phc, password);
}

/** PostgreSQL's default (scram_iterations), and the minimum of RFC 7677, section 4. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Returns the verifier that PostgreSQL stores for a password (pg_authid.rolpassword). It is enough to check a login,
 * not to log in (RFC 5803, RFC 5802 s3).
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(saslprep(password), salt, ITERATIONS, KEY_BYTES, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  const storedKey = createHash('sha256').update(clientKey).digest();
  const keys = [storedKey, hmac(salted, 'Server Key')].map((key) => key.toString('base64'));
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${keys.join(':')}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/**
 * Performs the steps of SASLprep that change a password (RFC 4013 s2.1, s2.2), which its clients also apply. Characters
 * that s2.3 prohibits are kept, as in PostgreSQL.
 */
function saslprep(password: string): string {
  return password
    .replaceAll(/[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g, ' ')
    .replaceAll(
      /\u00AD|\u034F|\u1806|[\u180B-\u180D]|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g,
      '',
    )
    .normalize('NFKC');
}
