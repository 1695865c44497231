import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import type { RrsetToSign, SignedZone, ZoneSigner } from '@zonewright/zones';
import type { PrivateKeys, ZoneWithKeys } from '../keys/private-keys.js';
import { requireOfZone } from './read-sign-request.js';
import { signItems } from './sign-items.js';

export interface ZoneKeySignerParts {
  readonly keys: PrivateKeys;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told how many signatures were made. */
  readonly onSigned: (signatures: number) => void;
}

/** Signs with the keys in the database; with a transaction, with those that it sees. */
export class ZoneKeySigner implements ZoneSigner {
  readonly #db: Database;
  readonly #parts: ZoneKeySignerParts;

  constructor(db: Database, parts: ZoneKeySignerParts) {
    this.#db = db;
    this.#parts = parts;
  }

  /** @throws ServiceError `not-found` or `invalid` */
  async sign(
    { id }: Pick<SignedZone, 'id'>,
    items: readonly RrsetToSign[],
  ): Promise<Uint8Array[][]> {
    return await this.#signWith(await this.#parts.keys.find(this.#db, id), items);
  }

  /** The same, with keys that are remembered, where they are those that dns-api has seen. */
  async signKnown(
    { id, keyVersion }: SignedZone,
    items: readonly RrsetToSign[],
  ): Promise<Uint8Array[][]> {
    return await this.#signWith(await this.#parts.keys.findKnown(this.#db, id, keyVersion), items);
  }

  async #signWith(
    zone: ZoneWithKeys | undefined,
    items: readonly RrsetToSign[],
  ): Promise<Uint8Array[][]> {
    const { clock, random, onSigned } = this.#parts;
    if (zone === undefined) {
      throw new ServiceError('not-found', 'There is no signed zone with this id.');
    }
    const { name: zoneName, keys } = zone;
    requireOfZone(items, { zoneName, keys });
    const signed = await signItems({ zoneName, items, keys, now: clock.now(), jitter: random() });
    onSigned(signed.reduce((sum, { length }) => sum + length, 0));
    return signed;
  }
}
