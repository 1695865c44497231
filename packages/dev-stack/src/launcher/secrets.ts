import { generateKeyringText } from '@zonewright/database';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Secrets that an installation by `npm start` must store. The mode of the file is 600. */
export interface Secrets {
  /** Password of the superuser of the embedded PostgreSQL. */
  postgresPassword: string;
  encryptionKeys: string;
  /** Encryption keys of TSIG keys. */
  transferEncryptionKeys: string;
  /** Encryption keys of the private keys of signed zones. */
  signerEncryptionKeys: string;
  /** Secret that dns-api presents to the signer. */
  signerSecret: string;
  /** Keys for the session cookies of the console. */
  consoleSessionKeys: string;
  administratorPassword?: string;
  serviceAccessKey?: string;
  serviceSecretKey?: string;
  nameserverAccessKey?: string;
  nameserverSecretKey?: string;
  demoPassword?: string;
  demoAccessKey?: string;
  demoSecretKey?: string;
}

/** Secrets as stored in the file. A file of an earlier version lacks the secrets that were added later. */
export type StoredSecrets = Omit<
  Secrets,
  'transferEncryptionKeys' | 'consoleSessionKeys' | 'signerEncryptionKeys' | 'signerSecret'
> &
  Partial<Secrets>;

export function makeSecrets(): Secrets {
  return {
    postgresPassword: randomBytes(18).toString('base64url'),
    encryptionKeys: generateKeyringText('local-1'),
    transferEncryptionKeys: generateKeyringText('local-1'),
    signerEncryptionKeys: generateKeyringText('local-1'),
    signerSecret: randomBytes(32).toString('base64url'),
    consoleSessionKeys: generateKeyringText('local-1'),
  };
}

/**
 * @returns undefined if there is no such file
 * @throws Error that names the file if it exists but cannot be read: new secrets would make the database unusable
 */
export function readSecretsFile(file: string): StoredSecrets | undefined {
  try {
    const secrets = parse(readFileSync(file, 'utf8')) as Partial<Secrets> | null;
    for (const name of ['postgresPassword', 'encryptionKeys'] as const) {
      if (typeof secrets?.[name] !== 'string') throw new Error(`it has no ${name}`);
    }
    return secrets as StoredSecrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(
      `${file} cannot be read: ${(error as Error).message}. Restore it from a backup: it contains the password of the database and the keys of encrypted data. Nothing was changed.`,
      { cause: error },
    );
  }
}

/** The parser's own message would contain secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not complete JSON');
  }
}
