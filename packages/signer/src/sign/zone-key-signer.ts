import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import {
  externalKeys,
  listZoneKeys,
  type RrsetToSign,
  type SignedZone,
  type ZoneSigner,
} from '@zonewright/zones';
import type { PrivateKeys, ZoneWithKeys } from '../keys/private-keys.js';
import { requireOfZone } from './read-sign-request.js';
import { signItems, KEY_TYPES } from './sign-items.js';

export interface ZoneKeySignerParts {
  readonly keys: PrivateKeys;
  readonly clock: Clock;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Called with the number of new signatures. */
  readonly onSigned: (signatures: number) => void;
}

/** Signs with the keys in the database. In a transaction, it uses the keys that the transaction sees. */
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
    return await this.#signWith(id, await this.#parts.keys.find(this.#db, id), items);
  }

  /** Does the same as `sign`, with cached keys if dns-api has seen the same ones. */
  async signKnown(
    { id, keyVersion }: Omit<SignedZone, 'tenantId'>,
    items: readonly RrsetToSign[],
  ): Promise<Uint8Array[][]> {
    const zone = await this.#parts.keys.findKnown(this.#db, id, keyVersion);
    return await this.#signWith(id, zone, items);
  }

  async #signWith(
    id: string,
    zone: ZoneWithKeys | undefined,
    items: readonly RrsetToSign[],
  ): Promise<Uint8Array[][]> {
    const { clock, random, onSigned } = this.#parts;
    if (zone === undefined) {
      throw new ServiceError('not-found', 'There is no signed zone with this id.');
    }
    const { name: zoneName, keys } = zone;
    const foreign = items.some(({ rrset }) => KEY_TYPES.has(rrset.type))
      ? externalKeys(await listZoneKeys(this.#db, id))
      : [];
    requireOfZone(items, { zoneName, keys, foreign });
    const signed = await signItems({ zoneName, items, keys, now: clock.now(), jitter: random() });
    onSigned(signed.reduce((sum, { length }) => sum + length, 0));
    return signed;
  }
}
