import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { listSecretZoneKeys, type SecretZoneKey } from '@zonewright/zones';

/** A key of a zone that can sign. */
export interface PrivateZoneKey extends SecretZoneKey {
  readonly privateKey: KeyObject;
}

/** Keys that were opened lately: opening one costs several signatures. */
const MAX_OPEN_KEYS = 10_000;

/** Opens the private keys of zones. Nothing of them leaves this process. */
export class PrivateKeys {
  readonly #keyring: Keyring;
  readonly #open = new Map<string, KeyObject>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Those of a zone that are in use; with a transaction, as it sees them. */
  async listOf(db: Database, zoneId: string): Promise<PrivateZoneKey[]> {
    const keys = await listSecretZoneKeys(db, zoneId);
    return keys.map((key) => ({ ...key, privateKey: this.#openKey(key) }));
  }

  #openKey({ id, secret }: SecretZoneKey): KeyObject {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const der = this.#keyring.open(secret, secretIdentity.zoneKey(id));
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    der.fill(0);
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN_KEYS && oldest !== undefined) this.#open.delete(oldest);
    this.#open.set(id, key);
    return key;
  }
}
