import { randomBytes, scryptSync } from 'node:crypto';
import { type Keyring, parseKeyring } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { DocumentEncryption, TransferredSecret } from './account-parts.js';

/** Cost of scrypt (RFC 7914 s2): a guess takes 128 MiB and some tenths of a second. */
const COST = { n: 131_072, r: 8, p: 1 };
/** Memory that a document may require: at most 256 MiB. */
const MAX_MEMORY = 256 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const CHECK = 'zonewright-account';
const LEAST_PASSPHRASE = 8;

/** Encrypts and decrypts the secrets of a document. Without a passphrase they are plain text. */
export class SecretBox {
  readonly #keyring: Keyring | undefined;
  /** Header for the document. Undefined if its secrets are plain text. */
  readonly encryption: DocumentEncryption | undefined;

  private constructor(keyring?: Keyring, encryption?: DocumentEncryption) {
    this.#keyring = keyring;
    this.encryption = encryption;
  }

  static plain(): SecretBox {
    return new SecretBox();
  }

  /** Creates the box for a new document. @throws ServiceError invalid if the passphrase is too short */
  static create(passphrase: string): SecretBox {
    if (passphrase.length < LEAST_PASSPHRASE) {
      throw new ServiceError(
        'invalid',
        `a passphrase must have at least ${LEAST_PASSPHRASE} characters`,
      );
    }
    const salt = randomBytes(SALT_BYTES).toString('base64');
    const keyring = deriveKey(passphrase, { ...COST, salt });
    const check = keyring.seal(Buffer.from(CHECK), 'check').sealed.toString('base64');
    return new SecretBox(keyring, { kdf: 'scrypt', ...COST, salt, check });
  }

  /** Opens the box of a document. @throws ServiceError invalid if the passphrase is wrong */
  static open(passphrase: string, encryption: DocumentEncryption): SecretBox {
    const box = new SecretBox(deriveKey(passphrase, encryption), encryption);
    if (box.read({ sealed: encryption.check }, 'check') !== CHECK) {
      throw new ServiceError('invalid', 'wrong passphrase for this export');
    }
    return box;
  }

  /** Encrypts a secret. `identity` names its owner, so that it cannot be moved to another owner. */
  write(secret: string, identity: string): TransferredSecret {
    if (this.#keyring === undefined) return { plain: secret };
    return { sealed: this.#keyring.seal(Buffer.from(secret), identity).sealed.toString('base64') };
  }

  /** Returns undefined if the secret cannot be decrypted. */
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
    throw new ServiceError('invalid', 'the encryption header of this export is not valid', {
      cause: error,
    });
  }
}

export const exportIdentity = {
  password: (userId: string) => `user ${userId}`,
  accessKey: (id: string) => `access key ${id}`,
} as const;
