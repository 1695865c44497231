import type { Database } from '@zonewright/database';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import {
  findSigningName,
  foreignKeys,
  listZoneKeys,
  type RrsetToSign,
  type ZoneSigner,
} from '@zonewright/zones';
import type { PrivateKeys } from '../keys/private-keys.js';
import { requireOfZone } from './read-sign-request.js';
import { signItems, TELLS_OF_KEYS } from './sign-items.js';

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
  async sign(zoneId: string, items: readonly RrsetToSign[]): Promise<Uint8Array[][]> {
    const { clock, random, onSigned } = this.#parts;
    const zoneName = await findSigningName(this.#db, zoneId);
    const keys = await this.#parts.keys.listOf(this.#db, zoneId);
    if (zoneName === undefined || keys.length === 0) {
      throw new ServiceError('not-found', 'There is no signed zone with this id.');
    }
    const foreign = items.some(({ rrset }) => TELLS_OF_KEYS.has(rrset.type))
      ? foreignKeys(await listZoneKeys(this.#db, zoneId))
      : [];
    requireOfZone(items, { zoneName, keys, foreign });
    const signed = await signItems({ zoneName, items, keys, now: clock.now(), jitter: random() });
    onSigned(signed.reduce((sum, { length }) => sum + length, 0));
    return signed;
  }
}
