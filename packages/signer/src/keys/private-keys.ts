import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { CSK_FLAGS, generateSigningKey, keyTagOf } from '@zonewright/dns-records/dnssec';
import { BoundedMap, type Clock } from '@zonewright/service-kit';
import {
  findZoneWithSecrets,
  insertZoneKey,
  keyVersion,
  listKeyTags,
  type MaintenanceContext,
  type SecretZoneKey,
} from '@zonewright/zones';

/** Key of a zone that can sign. */
export interface PrivateZoneKey extends Omit<SecretZoneKey, 'secret'> {
  readonly privateKey: KeyObject;
}

/** Zone with its keys that are in use. */
export interface ZoneWithKeys {
  readonly name: string;
  readonly keys: readonly PrivateZoneKey[];
}

/** Cache size. Decrypting a key takes as long as several signatures. */
const MAX_OPEN_KEYS = 10_000;
const MAX_ZONES = 10_000;
/** Maximum age of cached keys. It matters only if a caller names removed keys, which dns-api does not do. */
const REMEMBERED_MS = 60_000;

/** Decrypts the private keys of zones. They never leave this process. */
export class PrivateKeys {
  readonly #keyring: Keyring;
  readonly #open = new BoundedMap<string, KeyObject>(MAX_OPEN_KEYS);
  readonly #zones = new BoundedMap<string, ZoneWithKeys & { version: string; readAt: number }>(
    MAX_ZONES,
  );

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /**
   * Returns a zone and its private keys, as seen by the given transaction. Undefined if the zone does not exist or has
   * no keys.
   */
  async find(db: Database, zoneId: string): Promise<ZoneWithKeys | undefined> {
    const zone = await findZoneWithSecrets(db, zoneId);
    if (zone === undefined) return undefined;
    const keys = zone.keys.map(({ secret, ...key }) => ({
      ...key,
      privateKey: this.#openKey(key.id, secret),
    }));
    return { name: zone.name, keys };
  }

  /**
   * Does the same as `find`, but from the cache if the cached keys are those that the caller has seen in the database,
   * and were read recently.
   */
  async findKnown(
    db: Database,
    zoneId: string,
    version: string,
  ): Promise<ZoneWithKeys | undefined> {
    const known = this.#zones.get(zoneId);
    const isKnown = known?.version === version && performance.now() - known.readAt < REMEMBERED_MS;
    if (isKnown) return known;
    const readAt = performance.now();
    const zone = await this.find(db, zoneId);
    this.#zones.delete(zoneId);
    if (zone === undefined) return undefined;
    this.#zones.set(zoneId, { ...zone, version: keyVersion(zone.keys), readAt });
    return zone;
  }

  #openKey(id: string, secret: SecretZoneKey['secret']): KeyObject {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const der = this.#keyring.open(secret, secretIdentity.zoneKey(id));
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    der.fill(0);
    this.#open.set(id, key);
    return key;
  }
}

/** Creates keys for zones and encrypts them at once. Key tags are unique within a zone, so a tag identifies a key. */
export function keyCreator(keyring: Keyring, clock: Clock): MaintenanceContext['createKey'] {
  return async (trx, { zoneId, algorithm, state }) => {
    const tags = await listKeyTags(trx, zoneId);
    for (;;) {
      const { privateKey, publicKey } = generateSigningKey(algorithm);
      const keyTag = keyTagOf({ flags: CSK_FLAGS, algorithm, publicKey });
      if (tags.includes(keyTag)) continue;
      const id = randomUUID();
      const der = privateKey.export({ format: 'der', type: 'pkcs8' });
      const secret = keyring.seal(der, secretIdentity.zoneKey(id));
      der.fill(0);
      const at = new Date(clock.now());
      await insertZoneKey(trx, {
        ...{ id, zoneId, algorithm, flags: CSK_FLAGS, keyTag, publicKey, secret, state, at },
      });
      return;
    }
  };
}
