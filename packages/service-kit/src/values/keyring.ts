import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** AES-256-GCM with 96-bit nonces (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Encrypted secret of a row. */
export interface SealedSecret {
  /** Id of the key that encrypted the secret. */
  readonly keyId: string;
  /** nonce (12 bytes) | ciphertext | tag (16 bytes) */
  readonly sealed: Buffer;
}

/**
 * Keys that encrypt secret columns (secrets of access keys, token signing keys). The first one encrypts and all of them
 * decrypt, so that a key can be replaced while everything remains readable.
 */
export class Keyring {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #primary: string;

  constructor(keys: ReadonlyMap<string, KeyObject>, primary: string) {
    this.#keys = keys;
    this.#primary = primary;
  }

  /**
   * Encrypts `secret` for one row. `identity` names the row (table, column, id). It is authenticated with the
   * ciphertext, so that the value cannot be decrypted in another row.
   */
  seal(secret: Buffer, identity: string): SealedSecret {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#primary), nonce);
    cipher.setAAD(Buffer.from(identity));
    const body = Buffer.concat([cipher.update(secret), cipher.final()]);
    return { keyId: this.#primary, sealed: Buffer.concat([nonce, body, cipher.getAuthTag()]) };
  }

  /** Decrypts the secret of the same row. Throws if it was altered or moved, or if its key is missing. */
  open(secret: SealedSecret, identity: string): Buffer {
    const nonce = secret.sealed.subarray(0, NONCE_BYTES);
    const tag = secret.sealed.subarray(-TAG_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.#key(secret.keyId), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(identity)).setAuthTag(tag);
    const body = secret.sealed.subarray(NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  }

  /** Id of the key that encrypts new secrets. */
  get primaryKeyId(): string {
    return this.#primary;
  }

  /** Ids of all keys, with the primary key first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new Error(`encryption key "${id}" is not in the keyring`);
    }
    return key;
  }
}

/**
 * Reads `id:base64key,id:base64key`. Each key has 32 bytes in base64, and the first one encrypts.
 *
 * @throws Error that describes the format without repeating the text
 */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, KeyObject>();
  for (const entry of text.split(',')) {
    const [, id, encoded] = /^\s*([\w.-]{1,32}):([A-Za-z0-9+/]{43}=?)\s*$/.exec(entry) ?? [];
    if (id === undefined || encoded === undefined) throw new Error(FORM);
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== KEY_BYTES || keys.has(id)) throw new Error(FORM);
    keys.set(id, createSecretKey(key));
  }
  const [primary] = keys.keys();
  if (primary === undefined) throw new Error(FORM);
  return new Keyring(keys, primary);
}

const FORM = 'must be id:key pairs separated by commas, each id once, each key 32 bytes in base64';

/** Returns a new random key in the format of parseKeyring. */
export function generateKeyringText(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
