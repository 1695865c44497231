import type { Database, FeedApex } from '@zonewright/database';
import { nameToWire, wireToName } from '@zonewright/dns-records';
import {
  canonicalKey,
  type CanonicalKey,
  nameOfKey,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import { getZoneApex } from '../nameservers/zone-apex-store.js';
import { providedAtApex } from './provided-rrsets.js';
import { listZoneKeys, type ZoneToSign } from './signing-store.js';
import type { SigningState } from '../rows/signing-state.js';

/** A zone whose row is held and has its new serial, with what the service provides in it. */
export interface ZoneBeingSigned {
  readonly zone: ZoneToSign;
  /** Wire form. */
  readonly apexName: Uint8Array;
  readonly apex: FeedApex;
  /** At the apex. */
  readonly provided: readonly Rrset[];
  /** RFC 9077 s3.2: min(TTL of SOA, its MINIMUM). */
  readonly nsecTtl: number;
}

export async function readZoneBeingSigned(
  trx: Database,
  zone: ZoneToSign,
  state: SigningState,
): Promise<ZoneBeingSigned> {
  const apexName = nameToWire(zone.name);
  const apex = await getZoneApex(trx, zone.id);
  if (apex === undefined) throw new Error('Primaries of a secondary zone sign it.');
  const keys = await listZoneKeys(trx, zone.id);
  return {
    zone,
    apexName,
    apex,
    provided: providedAtApex({ zone, apexName, apex, state, keys }),
    nsecTtl: Math.min(zone.ttl, apex.soa.minimumSeconds),
  };
}

export function keyOfName({ apexName }: ZoneBeingSigned, name: string): CanonicalKey {
  return canonicalKey(nameToWire(name), apexName);
}

export function nameOfRow({ apexName }: ZoneBeingSigned, key: CanonicalKey): string {
  return wireToName(nameOfKey(key, apexName));
}
