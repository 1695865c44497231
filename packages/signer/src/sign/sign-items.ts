import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  octetsToSign,
  rrsigHead,
  signOctets,
  signOctetsAside,
  verifyOctets,
} from '@zonewright/dns-records/dnssec';
import type { RrsetToSign } from '@zonewright/zones';
import type { PrivateZoneKey } from '../keys/private-keys.js';

interface ItemsToSign {
  readonly zoneName: string;
  readonly items: readonly RrsetToSign[];
  readonly keys: readonly PrivateZoneKey[];
  /** Time in milliseconds since 1970. */
  readonly now: number;
  /** Random number from 0 to 1. */
  readonly jitter: number;
}

const VALID_SECONDS = 21 * 86_400;
/** Time by which the validity begins earlier, for validators whose clocks are slow. */
const BEFORE_SECONDS = 3_600;
/** Maximum number of RRsets that are signed in this thread. Worker threads sign more. */
const FEW = 32;
/** Maximum jitter of the expiry, so that zones signed at the same time are not renewed at the same time. */
const JITTER_SECONDS = 86_400;

/** Private keys that match their public key. Another check would take as long as three signatures. */
const PROVEN = new WeakSet<PrivateZoneKey>();

/**
 * Types that describe keys. Parents and resolvers also query them while a key is not yet, or no longer, a key of the
 * zone (RFC 6781 s4.1.3, RFC 7344 s4).
 */
export const KEY_TYPES: ReadonlySet<number> = new Set([
  RR_TYPE.DNSKEY,
  RR_TYPE.CDS,
  RR_TYPE.CDNSKEY,
]);

/**
 * Whether a key signs a type. Data has signatures of each algorithm that DNSKEY has or will have soon (RFC 4035 s2.2,
 * RFC 6781 s4.1.4). If several keys have one algorithm, the active one signs.
 */
function signs(key: PrivateZoneKey, type: number, keys: readonly PrivateZoneKey[]): boolean {
  if (key.state === 'unlisted') return type !== RR_TYPE.DNSKEY;
  const isReplaced = keys.some(
    ({ state, algorithm }) => state === 'active' && algorithm === key.algorithm,
  );
  return key.state === 'active' || !isReplaced || KEY_TYPES.has(type);
}

/** Returns the rdata of the RRSIGs for each item, one for each key that signs it. */
export async function signItems({
  zoneName,
  items,
  keys,
  now,
  jitter,
}: ItemsToSign): Promise<Uint8Array[][]> {
  const signerName = nameToWire(zoneName);
  const seconds = Math.floor(now / 1_000);
  const inception = seconds - BEFORE_SECONDS;
  const expiration = seconds + VALID_SECONDS - Math.floor(jitter * JITTER_SECONDS);
  const make = items.length > FEW ? signOctetsAside : signOctets;
  const sign = async (key: PrivateZoneKey, { owner, rrset }: RrsetToSign) => {
    const { algorithm, keyTag, privateKey } = key;
    const terms = { algorithm, keyTag, signerName, inception, expiration };
    const head = rrsigHead(owner, rrset, terms);
    const octets = octetsToSign(head, owner, rrset);
    const signature = await make(algorithm, privateKey, octets);
    return { key, head, octets, signature };
  };
  const signed = await Promise.all(
    items.map(async (item) => {
      const own = keys.filter((key) => signs(key, item.rrset.type, keys));
      return await Promise.all(own.map((key) => sign(key, item)));
    }),
  );
  // If a private key does not match its public key, the whole zone would fail validation.
  for (const { key, octets, signature } of signed.flat()) {
    if (PROVEN.has(key)) continue;
    const { algorithm, keyTag, publicKey } = key;
    if (!verifyOctets(algorithm, publicKey, octets, signature)) {
      throw new Error(`A signature by the key ${keyTag} of ${zoneName} cannot be verified.`);
    }
    PROVEN.add(key);
  }
  return signed.map((each) => each.map(({ head, signature }) => Buffer.concat([head, signature])));
}
