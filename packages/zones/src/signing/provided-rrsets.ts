import type { FeedApex } from '@zonewright/database';
import { apexRecords, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  CDNSKEY_DELETE,
  CDS_DELETE,
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
  type PublicKey,
  type Rrset,
} from '@zonewright/dns-records/dnssec';
import type { ZoneToSign } from './signing-store.js';
import { announcedKeys, type SigningState } from '../rows/signing-state.js';
import type { UsedKey } from './signing-ground-store.js';

/**
 * TTL in seconds after which a changed set of keys, or of DS of a hosted zone, has replaced the old one in all caches.
 */
export const DNSKEY_TTL_SECONDS = 3_600;

interface SignedApex {
  readonly zone: ZoneToSign;
  /** Apex in wire form. */
  readonly apexName: Uint8Array;
  readonly apex: FeedApex;
  readonly state: SigningState;
  readonly keys: readonly UsedKey[];
}

/** Returns the managed RRsets at the apex of a signed zone. */
export function managedAtApex({ zone, apexName, apex, state, keys }: SignedApex): Rrset[] {
  const own = apexRecords({ ...zone, ...apex });
  const rrset = (type: 'SOA' | 'NS'): Rrset => ({
    type: RR_TYPE[type],
    ttl: zone.ttl,
    rdatas: own
      .filter((record) => record.type === type)
      .map(({ data }) => rdataToWire(type, data, null)),
  });
  const ofKeys = (type: number, rdatas: Uint8Array[]): Rrset => ({
    type,
    ttl: DNSKEY_TTL_SECONDS,
    rdatas,
  });
  const isLeaving = state === 'leaving' || state === 'unsigning';
  const listed = keys.filter((key) => key.state !== 'unlisted');
  const announced = announcedKeys(keys);
  const cds = announced.map((key) => dsToWire(apexName, key, DIGEST_TYPES.sha256));
  return [
    rrset('SOA'),
    rrset('NS'),
    ofKeys(RR_TYPE.DNSKEY, listed.map(dnskeyToWire)),
    ofKeys(RR_TYPE.CDS, isLeaving ? [CDS_DELETE] : cds),
    ofKeys(RR_TYPE.CDNSKEY, isLeaving ? [CDNSKEY_DELETE] : announced.map(dnskeyToWire)),
  ].filter(({ rdatas }) => rdatas.length > 0);
}

/**
 * Returns the managed RRsets of a signed zone at a hosted child. Resolvers that use its NSEC aggressively must find the
 * child (RFC 8198).
 */
export function managedAtChild(
  childName: Uint8Array,
  parent: Pick<SignedApex, 'zone' | 'apex'>,
  childKeys: readonly PublicKey[],
): Rrset[] {
  const ttl = parent.zone.ttl;
  const ns = parent.apex.servers.map((server) => rdataToWire('NS', server, null));
  const ds = childKeys.map((key) => dsToWire(childName, key, DIGEST_TYPES.sha256));
  return [
    { type: RR_TYPE.NS, ttl, rdatas: ns },
    { type: RR_TYPE.DS, ttl: Math.min(ttl, DNSKEY_TTL_SECONDS), rdatas: ds },
  ].filter(({ rdatas }) => rdatas.length > 0);
}
