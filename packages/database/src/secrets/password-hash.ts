import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id with 19 MiB, two passes, one lane: the OWASP Password Storage Cheat Sheet's first choice,
 * about 20 ms of one core. The value 2 is Argon2id in the library's enum, which cannot be imported under
 * isolatedModules.
 */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The PHC string of a password, for identity.users.password_hash. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, PARAMETERS);
}

/** Whether `password` is the one that `phc` was made from; takes the same time either way. */
export async function verifyPassword(phc: string, password: string): Promise<boolean> {
  return await verify(phc, password);
}
