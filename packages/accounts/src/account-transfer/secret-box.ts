import { randomBytes, scryptSync } from 'node:crypto';
import { type Keyring, parseKeyring } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { DocumentEncryption, TransferredSecret } from './account-parts.js';

/** RFC 7914 s2; 128 MiB and some tenths of a second for one guess. */
const COST = { n: 131_072, r: 8, p: 1 };
/** What a document may ask of this machine: no more than 256 MiB. */
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const CHECK = 'zonewright-account';
const LEAST_PASSPHRASE = 8;

/** Seals and opens the secrets of a document; without a passphrase they stand there as they are. */
export class SecretBox {
  readonly #keyring: Keyring | undefined;
  /** What the document says about it; undefined: its secrets are plain. */
  readonly encryption: DocumentEncryption | undefined;

  private constructor(keyring?: Keyring, encryption?: DocumentEncryption) {
    this.#keyring = keyring;
    this.encryption = encryption;
  }

  static plain(): SecretBox {
    return new SecretBox();
  }

  /** For a new document. @throws ServiceError invalid when the passphrase is too short */
  static create(passphrase: string): SecretBox {
    if (passphrase.length < LEAST_PASSPHRASE) {
      throw new ServiceError('invalid', `a passphrase has ${LEAST_PASSPHRASE} characters or more`);
    }
    const salt = randomBytes(SALT_BYTES).toString('base64');
    const keyring = deriveKey(passphrase, { ...COST, salt });
    const check = keyring.seal(Buffer.from(CHECK), 'check').sealed.toString('base64');
    return new SecretBox(keyring, { kdf: 'scrypt', ...COST, salt, check });
  }

  /** For a document that exists. @throws ServiceError invalid when it is not the passphrase */
  static open(passphrase: string, encryption: DocumentEncryption): SecretBox {
    const box = new SecretBox(deriveKey(passphrase, encryption), encryption);
    if (box.read({ sealed: encryption.check }, 'check') !== CHECK) {
      throw new ServiceError('invalid', 'the passphrase is not the one of this export');
    }
    return box;
  }

  /** `identity` names what the secret belongs to, so that it cannot be moved to another. */
  write(secret: string, identity: string): TransferredSecret {
    if (this.#keyring === undefined) return { plain: secret };
    return { sealed: this.#keyring.seal(Buffer.from(secret), identity).sealed.toString('base64') };
  }

  /** The secret, or undefined when it does not open. */
  read(secret: TransferredSecret, identity: string): string | undefined {
    if ('plain' in secret) return secret.plain;
    try {
      const sealed = Buffer.from(secret.sealed, 'base64');
      return this.#keyring?.open({ keyId: KEY_ID, sealed }, identity).toString();
    } catch {
      return undefined;
    }
  }
}

const KEY_ID = 'passphrase';

function deriveKey(
  passphrase: string,
  { n, r, p, salt }: { n: number; r: number; p: number; salt: string },
): Keyring {
  try {
    const options = { N: n, r, p, maxmem: MAX_MEMORY };
    const key = scryptSync(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, options);
    return parseKeyring(`${KEY_ID}:${key.toString('base64')}`);
  } catch (error) {
    throw new ServiceError('invalid', 'the encryption of this export makes no sense', {
      cause: error,
    });
  }
}

export const exportIdentity = {
  password: (userId: string) => `user ${userId}`,
  accessKey: (id: string) => `access key ${id}`,
} as const;
