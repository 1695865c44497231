import type { FeedApex } from '@zonewright/database';
import { nameToWire, wireToName } from '@zonewright/dns-records';
import {
  canonicalKey,
  type CanonicalKey,
  nameOfKey,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import type { UsedKey } from './signing-ground-store.js';
import type { ZoneToSign } from './signing-store.js';

/** A zone with its new serial, and the records that the service manages in it. */
export interface ZoneBeingSigned {
  readonly zone: ZoneToSign;
  /** Wire form. */
  readonly apexName: Uint8Array;
  readonly apex: FeedApex;
  readonly apexVersion: number;
  /** Keys in use, oldest first. */
  readonly keys: readonly UsedKey[];
  /** RRsets that the service provides at the apex. */
  readonly provided: readonly Rrset[];
  /** RFC 9077 s3.2: min(TTL of SOA, its MINIMUM). */
  readonly nsecTtl: number;
}

type OfApex = Pick<ZoneBeingSigned, 'apexName'>;

export function keyOfName({ apexName }: OfApex, name: string): CanonicalKey {
  return canonicalKey(nameToWire(name), apexName);
}

export function nameOfRow({ apexName }: OfApex, key: CanonicalKey): string {
  return wireToName(nameOfKey(key, apexName));
}
